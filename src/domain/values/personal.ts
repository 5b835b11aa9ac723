import type { z } from 'zod';
import { markPersonal } from '../../event-sourcing/event.ts';

/** Marks a field as personal data of a person. */
export const personal: <Schema extends z.ZodType>(
  schema: Schema,
  person: 'customer' | 'claimant' | 'beneficiary' | 'merchant',
) => Schema = markPersonal;
