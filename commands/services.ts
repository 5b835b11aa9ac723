import type { ClaimState } from '#domain/claim/claim.ts';
import type { CustomerState } from '#domain/customer/customer.ts';
import type { PersonState } from '#domain/person/person.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import type { ProductState, ProductType } from '#domain/product/product.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import type { Instant } from '#event-sourcing/time.ts';

export interface OfferedProduct {
  readonly product: ProductState;
  readonly provider: { readonly id: string; readonly name: string; readonly email: string | null };
}

/** The products, and which documents are parked. They are read from read models, so they may lag behind the log. */
export interface Catalogue {
  /**
   * Returns the products on sale of a type that are visible to the merchant in its mode, oldest first; not what, or
   * whose provider, is withdrawn.
   */
  productsOnSale(type: ProductType, environment: ActingEnvironment): Promise<readonly OfferedProduct[]>;
  /** Returns a product, whether or not it is on sale; undefined when there is none. */
  productById(productId: string): Promise<ProductState | undefined>;
  isParked(collection: string, key: string): Promise<boolean>;
}

/** Makes resources as the read models do, so that a POST answers with what a GET shows. */
export interface Resources {
  policyResourceOf(policy: PolicyState, recordedAt: Instant): object;
  customerDetailsOf(customer: CustomerState): object;
  claimResourceOf(claim: ClaimState): object;
}

/** What commands of Surety use besides the stores (`CommandContext.services`). */
export interface CommandServices {
  readonly catalogue: Catalogue;
  readonly resources: Resources;
  /**
   * Returns the token of a verification link: HMAC-SHA-256 of tenant id and serial number under the secret of the
   * service, as URL-safe text.
   */
  readonly verificationToken: (tenantId: string, serial: number) => string;
  /**
   * Returns a ticket of a person, with which the page of the console signs in.
   * @param id differs for each ticket
   */
  readonly signInTicket: (person: PersonState, issuedAt: Instant, id: string) => string;
  readonly saveBlob: (bytes: Uint8Array) => Promise<string>;
  /** Revokes an API key; it is rejected from the instant this resolves. */
  readonly revokeKey: (keyId: string) => Promise<void>;
  readonly randomBytes: (bytes: number) => Uint8Array;
}
