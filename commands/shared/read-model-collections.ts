/** Names of the collections of the read models. They are repeated here because commands may not import projections. */
export const READ_MODEL_COLLECTIONS = [
  'policies',
  'claims',
  'customers',
  'transactions',
  'customer_history',
  'merchants',
  'environments',
  'api_keys',
  'products',
  'providers',
  'mail_jobs',
] as const;
