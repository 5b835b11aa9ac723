import { z } from 'zod';
import { PRODUCT_TYPES } from '../src/domain/product/product.ts';
import { instant } from '../src/event-sourcing/time.ts';
import { money } from '../projections/schema.ts';

const coverage = z.strictObject({
  coverage_name: z.string(),
  coverage_description: z.string().nullable(),
  coverage_type: z.string().nullable(),
  coverage_limit: money.nullable(),
});

/** A quote as an item of a list. */
export const quoteItemSchema = z
  .strictObject({
    quote_code: z
      .string()
      .regex(/^Quo_[a-z0-9]{5}_[0-9a-f]{8}$/)
      .meta({ examples: ['Quo_i61y3_55a7f400'] }),
    provider: z.string().meta({ description: 'Name of the insurer' }),
    product: z.string().meta({ description: 'Name of the product' }),
    product_type: z.enum(PRODUCT_TYPES),
    base_price: money.meta({ description: 'For 365 days, before loadings, discount, surcharge and tax' }),
    premium: money.meta({ description: 'What 365 days cost, tax included' }),
    purchase_id: z
      .string()
      .regex(/^PUR-[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      .meta({ description: 'Another id of the quote, for payment providers' }),
    additional_metadata: z
      .strictObject({
        device_type: z.string().nullable().optional(),
        device_make: z.string().nullable().optional(),
        device_model: z.string().nullable().optional(),
        device_value: money.nullable().optional(),
        tier_name: z.string().nullable(),
        product_plan: z.string().nullable(),
        currency: z.string(),
        coverages: z.array(coverage),
      })
      .meta({ description: 'What helps to choose; the members `device_*` are there for gadgets' }),
  })
  .meta({ id: 'QuoteItem' });

/** One quote. */
export const quoteSchema = z
  .strictObject({
    quote_code: z.string(),
    base_price: money,
    premium: money,
    quote_expiry_date: instant.meta({ description: 'From then on the quote cannot be bought' }),
    product: z.strictObject({
      id: z.uuid(),
      created_at: instant.nullable(),
      updated_at: instant.nullable(),
      is_trashed: z.boolean(),
      trashed_at: instant.nullable(),
      restored_at: instant.nullable(),
      name: z.string(),
      description: z.string(),
      product_type: z.enum(PRODUCT_TYPES),
      provider: z.uuid(),
      coverage_details: z.string().nullable(),
      insurer: z.string(),
      price: z.strictObject({
        amount: z.number().meta({ description: 'Net price and discount together, before surcharges and tax' }),
        description: z.string(),
        currency: z.string(),
        discount_amount: z.number(),
        surcharges: z.number(),
        commission: z.number().meta({ description: 'Part of the net price' }),
      }),
    }),
  })
  .meta({ id: 'Quote' });
