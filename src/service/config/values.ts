import express from 'express';
import { z } from 'zod';
import { parseKey } from '#domain/api-key/key-format.ts';
import { emailAddress } from '#domain/values/email.ts';

/** Roles of a process. */
export const ROLES = ['api', 'projector', 'relay', 'mailer', 'scheduler'] as const;
export type ProcessRole = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

const MIN_SECRET_LENGTH = 32;

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535);

const publicUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
});

/** Over http only on this host: the answer of the issuer says who signs in. */
const issuerUrl = publicUrl.refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
});

const smtpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
});

/** An address, or a name with the address in angle brackets. */
const mailFrom = z.string().refine((text) => {
  const address = /^[^<>\p{Cc}]*<([^<>\s]+)>$/u.exec(text)?.[1] ?? text;
  return emailAddress.safeParse(address).success;
});

// The drivers validate the rest when they connect.
const eventStoreUrl = z.string().regex(/^esdb(\+discover)?:\/\/[^\s/?]+\S*$/);
const mongoUrl = z.string().regex(/^mongodb(\+srv)?:\/\/[^\s/?]+\S*$/);

const brokers = z
  .string()
  .transform((list) => list.split(',').map((broker) => broker.trim()))
  .pipe(z.array(z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/)));

const upToMillion = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .refine((value) => value >= 1);

/** Value of Express's setting `trust proxy`; Express validates addresses and subnets. */
const trustProxy = z
  .string()
  .transform((text) => (/^(true|false)$/.test(text) ? text === 'true' : /^\d+$/.test(text) ? Number(text) : text))
  .refine((value) => typeof value !== 'number' || value < 1_000)
  .refine((value) => {
    try {
      express().set('trust proxy', value);
      return true;
    } catch {
      return false;
    }
  });

const roles = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(ROLES)))
  .transform((list) => [...new Set(list)]);

/** Parses the environment variables of Surety. A description says in error messages what a valid value is. */
export const environment = z.object({
  HOST: z.string().regex(/^\S+$/).default('127.0.0.1').describe('a host name or an address'),
  PORT: port.default(3000).describe('a whole number from 0 to 65535'),
  PUBLIC_URL: publicUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('a URL that begins with http:// or https:// and ends with its path'),
  SURETY_DATA: z.string().default('./data').describe('a folder'),
  SURETY_ADMIN_KEY: z
    .string()
    .refine(isAdminKey)
    .optional()
    .describe(
      `a key that begins with sk_platform_, or any other secret of at least ${MIN_SECRET_LENGTH} visible ASCII characters`,
    ),
  SURETY_ROLES: roles.default([...ROLES]).describe(`a comma list out of: ${ROLES.join(', ')}`),
  SURETY_SECRET: z.string().min(MIN_SECRET_LENGTH).optional().describe(`at least ${MIN_SECRET_LENGTH} characters long`),
  SURETY_SAMPLE: z.enum(['on', 'off']).optional().describe('on or off'),
  SUPPORT_EMAIL: emailAddress.optional().describe('an e-mail address'),
  EVENTSTORE_URL: eventStoreUrl.optional().describe('a URL that begins with esdb:// and names a host'),
  MONGODB_URL: mongoUrl.optional().describe('a URL that begins with mongodb:// or mongodb+srv:// and names a host'),
  KAFKA_BROKERS: brokers.optional().describe('a comma list of host:port'),
  KAFKA_SSL: z.enum(['on', 'off']).default('off').describe('on or off'),
  KAFKA_SASL: z
    .enum(SASL_MECHANISMS)
    .optional()
    .describe(`one of: ${SASL_MECHANISMS.join(', ')}`),
  KAFKA_USERNAME: z.string().optional().describe('a name'),
  KAFKA_PASSWORD: z.string().optional().describe('a password'),
  SMTP_URL: smtpUrl.optional().describe('a URL that begins with smtp:// or smtps:// and names a host'),
  MAIL_FROM: mailFrom.optional().describe('an e-mail address, or a name followed by one in angle brackets'),
  OIDC_ISSUER: issuerUrl.optional().describe('a URL that begins with https://, or with http:// on this host'),
  OIDC_CLIENT_ID: z.string().optional().describe('a text'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('a text'),
  OIDC_TRUST_EMAIL: z.enum(['on', 'off']).default('off').describe('on or off'),
  RATE_LIMIT: upToMillion.optional().describe('a whole number of requests a second, from 1 to 999999'),
  MAX_CONNECTIONS: upToMillion.default(1_000).describe('a whole number of connections, from 1 to 999999'),
  TRUST_PROXY: trustProxy
    .default(false)
    .describe(
      'true, false, a number of proxies, or a comma list of addresses, subnets, loopback, linklocal and uniquelocal',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`one of: ${LOG_LEVELS.join(', ')}`),
});

export type Values = z.infer<typeof environment>;

export const SETTING_NAMES = Object.keys(environment.shape);

/** Settings whose values are never logged or shown, and which `NAME_FILE` reads from a file. */
export const SECRET_SETTINGS: readonly string[] = [
  'SURETY_ADMIN_KEY',
  'SURETY_SECRET',
  'SMTP_URL',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'KAFKA_PASSWORD',
  'OIDC_CLIENT_SECRET',
];

/**
 * Text with the prefix of keys must be a valid platform key, so that a mistyped or merchant's key is not used as a
 * secret.
 */
function isAdminKey(text: string): boolean {
  if (text.startsWith('sk_')) return parseKey(text)?.kind === 'platform';
  return new RegExp(`^[\\x21-\\x7e]{${MIN_SECRET_LENGTH},512}$`).test(text);
}
