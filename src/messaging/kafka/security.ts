import type { KafkaConfig, SASLOptions } from 'kafkajs';

export interface BrokerSecurity {
  /** With TLS the broker needs a certificate for its name that Node trusts. */
  readonly tls: boolean;
  readonly login:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
        readonly username: string;
        readonly password: string;
      }
    | undefined;
}

/** Converts the settings to those of kafkajs. */
export function securityFor(security: BrokerSecurity | undefined): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  const { tls = false, login } = security ?? {};
  const sasl = login && ({ ...login } satisfies SASLOptions as SASLOptions);
  return { ...(tls ? { ssl: true } : {}), ...(sasl === undefined ? {} : { sasl }) };
}
