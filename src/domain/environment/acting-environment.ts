/** The environment a command acts in. The key of a merchant selects it; an administrator names it as `environment_id`. */
export interface ActingEnvironment {
  readonly environmentId: number;
  /** Tenant id of the merchant. */
  readonly merchantId: string;
  readonly testMode: boolean;
}
