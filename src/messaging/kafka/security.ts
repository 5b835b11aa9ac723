import type { KafkaConfig, SASLOptions } from 'kafkajs';

/** How brokers are spoken to. */
export interface BrokerSecurity {
  /** The broker must show a certificate for its name that Node trusts. */
  readonly tls: boolean;
  /** Undefined: as nobody. */
  readonly login:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
        readonly username: string;
        readonly password: string;
      }
    | undefined;
}

/** The same in the words of kafkajs. */
export function securityFor(security: BrokerSecurity | undefined): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  const { tls = false, login } = security ?? {};
  const sasl = login && ({ ...login } satisfies SASLOptions as SASLOptions);
  return { ...(tls ? { ssl: true } : {}), ...(sasl === undefined ? {} : { sasl }) };
}
