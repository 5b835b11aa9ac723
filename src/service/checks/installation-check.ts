import { hasSeparateRoles, type Settings } from '../config/config.ts';
import type { Installation } from '#stores/records/installation.ts';
import type { StartPosition } from '#processes/runtime/checkpoint.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import { findSecret, secretHash } from '../security/start-secrets.ts';

export interface StartupOptions {
  /**
   * `serve` and `setup` create what an installation lacks, `serve` only with all roles in one process. `read` appends
   * no events, so it also opens a folder that was migrated to servers. Default: `use`.
   */
  readonly purpose?: 'serve' | 'setup' | 'use' | 'read';
  readonly from?: StartPosition | undefined;
  /** Whether a set-up replaces the secret of the installation, so that it is not compared. */
  readonly changesSecret?: boolean;
}

/** The secret differs from that of the installation. */
export class SecretMismatch extends OperatorError {
  override readonly name = 'SecretMismatch';
  constructor() {
    super(
      'The secret of this process is not the one that signs the links in mails of this installation: set SURETY_SECRET to the secret of ' +
        'the installation in every process (after surety migrate it is in the file secret of the folder); or invalidate those links on ' +
        'purpose with surety setup --change-secret and the new secret in SURETY_SECRET.',
    );
  }
}

/**
 * Returns whether a start creates what an installation lacks. Processes with separate roles do not, because none knows
 * whether it is the first.
 */
export function createsInstallation({ purpose }: StartupOptions, settings: Settings): boolean {
  return purpose === 'setup' || (purpose === 'serve' && !hasSeparateRoles(settings));
}

/**
 * Compares the secret with that of the installation, before a process creates or writes anything.
 * @throws {SecretMismatch}
 */
export function requireSameSecret({ secret: stored }: Installation, settings: Settings, startup: StartupOptions): void {
  if (stored === undefined || !comparesSecret(startup, settings)) return;
  const own = settings.secret ?? findSecret(settings.dataFolder);
  if (own === undefined || secretHash(own) !== stored) throw new SecretMismatch();
}

/** A data folder has one process, whose secret is in the same folder. */
function comparesSecret({ purpose, changesSecret }: StartupOptions, { servers, secret }: Settings): boolean {
  if (servers === undefined || changesSecret === true) return false;
  return purpose === 'serve' || (purpose === 'setup' && secret !== undefined);
}
