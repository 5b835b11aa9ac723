import { z } from 'zod';
import { storedMoney } from './money.ts';

/** Roles of keys and persons. */
export const ROLES = ['merchant', 'insurer', 'claims', 'admin', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/** Up to which amounts a claims handler or an insurer decides, in one currency; null: without a bound. */
export const authoritySchema = z.object({
  currency: z.string(),
  approveUpTo: storedMoney.nullable(),
  payUpTo: storedMoney.nullable(),
  reserveUpTo: storedMoney.nullable(),
});
export type Authority = z.infer<typeof authoritySchema>;

/** `read`: nothing may be appended. */
export const accessSchema = z.enum(['full', 'read']);
export type Access = z.infer<typeof accessSchema>;

/** The API's form of an authority. */
export function authorityResource(authority: Authority | null) {
  if (authority === null) return null;
  const { currency, approveUpTo: approve_up_to, payUpTo: pay_up_to, reserveUpTo: reserve_up_to } = authority;
  return { currency, approve_up_to, pay_up_to, reserve_up_to };
}
