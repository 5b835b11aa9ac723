import { getProduct } from '../../../queries/get-product.ts';
import { listProducts } from '../../../queries/list-products.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { KeyedRoute } from '../route.ts';

export const productRoutes: readonly KeyedRoute[] = [
  queryRoute('/api/v1/products', listProducts),
  queryRoute('/api/v1/products/:id', getProduct),
];
