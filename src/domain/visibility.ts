import type { ActingEnvironment } from './environment/environment.ts';
import { merchantScope } from './reservations.ts';
import type { Tags } from './tags.ts';
import { type Visibility, modeOf } from './values/mode.ts';

export interface VisibilityFields {
  readonly visibility: Visibility;
  /** Tenant id of the only merchant that sees it, in the mode of `visibility`; null: every merchant sees it. */
  readonly merchantId: string | null;
}

/** Returns the visibility as one text: `live`, `test`, `both`, or the scope of the only merchant that sees it. */
export function visibilityScope({ visibility, merchantId }: VisibilityFields): string {
  return merchantId === null ? visibility : merchantScope({ merchantId, testMode: visibility === 'test' });
}

/**
 * Returns the tags of events of a product or provider: the only merchant that sees it, and the mode, unless it is
 * visible in both.
 */
export function visibilityTags({ visibility, merchantId }: VisibilityFields): Tags {
  return {
    ...(merchantId === null ? {} : { merchant: merchantId }),
    ...(visibility === 'both' ? {} : { testMode: visibility === 'test' }),
  };
}

type Owner = Pick<ActingEnvironment, 'merchantId' | 'testMode'>;

/** Returns every scope (`visibilityScope`) that is visible to a merchant in its mode. */
export function visibleScopes(owner: Owner): readonly string[] {
  return ['both', modeOf(owner.testMode), merchantScope(owner)];
}

export function isVisibleToMerchant(owner: Owner, visibilityFields: VisibilityFields): boolean {
  return visibleScopes(owner).includes(visibilityScope(visibilityFields));
}
