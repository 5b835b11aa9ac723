import type { Api, ListOptions } from '../api.ts';
import type { Product, ProductItem } from '../api-types.ts';
import type { CallOptions } from '../http.ts';
import type { Query } from '../operation-types.ts';

/** Operations on products. */
export class Products {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists the products on sale. */
  list(query?: Query<'/api/v1/products'>, options?: ListOptions): AsyncGenerator<ProductItem> {
    return this.#api.list('/api/v1/products', {}, query, options);
  }

  /** Gets a product. */
  async get(id: string, options?: CallOptions): Promise<Product> {
    return await this.#api.get('/api/v1/products/{id}/', { id }, undefined, options);
  }
}
