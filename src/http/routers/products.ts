import { getProduct, listProducts } from '../../../queries/products.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

export const productRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/products', listProducts),
  queryRoute('/api/v1/products/:id', getProduct),
];
