import type { ActingEnvironment } from './environment/acting-environment.ts';
import { merchantScope } from './reservations.ts';
import { type Visibility, worldOf } from './values/world.ts';

/** Where a product or provider is visible. */
export interface Audience {
  readonly visibility: Visibility;
  /** Tenant id of the only merchant that sees it, in the world of `visibility`; null: every merchant sees it. */
  readonly merchantId: string | null;
}

/** Returns the audience as one text: the visibility, or the scope of the only merchant that sees it. */
export function audienceOf({ visibility, merchantId }: Audience): string {
  return merchantId === null ? visibility : merchantScope({ merchantId, testMode: visibility === 'test' });
}

type Owner = Pick<ActingEnvironment, 'merchantId' | 'testMode'>;

/** Returns every audience (`audienceOf`) that a merchant is part of in its world. */
export function audiencesOf(owner: Owner): readonly string[] {
  return ['both', worldOf(owner.testMode), merchantScope(owner)];
}

/** Returns whether a merchant is part of an audience in its world. */
export function isPartOfAudience(owner: Owner, audience: Audience): boolean {
  return audiencesOf(owner).includes(audienceOf(audience));
}
