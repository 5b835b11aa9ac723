import * as client from 'openid-client';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Takes e-mail addresses without `email_verified`. */
  readonly trustsEmail: boolean;
}

/** What the browser keeps while the person signs in at the issuer. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An account that the issuer vouches for. */
export interface Account {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

/** The answer of the issuer is not accepted. `reason` has no part of it. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

const TIMEOUT_SECONDS = 10;

/** Signs in at an issuer of OpenID Connect: code flow with PKCE. The issuer is asked when someone signs in. */
export class OpenIdConnect {
  readonly #settings: OpenIdSettings;
  readonly #redirectUri: string;
  #configuration: Promise<client.Configuration> | undefined;

  /** @param redirectUri to which the issuer sends the browser back */
  constructor(settings: OpenIdSettings, redirectUri: string) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  /** Returns the address at the issuer. @throws when the issuer does not answer */
  async begin(): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const parameters = {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const url = await this.#ask((configuration) => client.buildAuthorizationUrl(configuration, parameters));
    return { url: url.href, pending: { state, nonce, verifier } };
  }

  /**
   * Exchanges the code for the ID token, and checks issuer, audience, nonce, time and signature.
   * @param search query string with which the browser came back
   * @throws {SignInRefused}
   * @throws when the issuer does not answer
   */
  async finish(search: string, { state, nonce, verifier }: PendingSignIn): Promise<Account> {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    const cameBack = new URL(`${this.#redirectUri}?${search}`);
    const tokens = await this.#ask(
      async (configuration) =>
        await client.authorizationCodeGrant(configuration, cameBack, checks).catch((error: unknown) => {
          throw reasonOf(error);
        }),
    );
    const claims = tokens.claims();
    if (claims === undefined) throw new SignInRefused('no ID token');
    const { iss: issuer, sub: subject, email, email_verified: isVerified } = claims;
    if (typeof email !== 'string') throw new SignInRefused('no e-mail address in the ID token');
    const isTrusted = isVerified === true || (isVerified === undefined && this.#settings.trustsEmail);
    if (!isTrusted) throw new SignInRefused('e-mail address not verified');
    return { issuer, subject, email };
  }

  /** Runs a step with what the issuer says of itself, which is asked again after a step that failed. */
  async #ask<T>(step: (configuration: client.Configuration) => T | Promise<T>): Promise<T> {
    try {
      this.#configuration ??= this.#discover();
      return await step(await this.#configuration);
    } catch (error) {
      this.#configuration = undefined;
      throw error;
    }
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    const execute = [client.enableNonRepudiationChecks];
    // The settings accept http for this host alone.
    // oxlint-disable-next-line typescript/no-deprecated -- marked to stand out, and not to go
    if (url.protocol === 'http:') execute.push(client.allowInsecureRequests);
    const options = { execute, timeout: TIMEOUT_SECONDS };
    return await client.discovery(url, clientId, {}, client.ClientSecretBasic(clientSecret), options);
  }
}

/** Returns a refusal for what the issuer has answered, and the error itself where it has not answered. */
function reasonOf(error: unknown): unknown {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const status =
    error instanceof client.ResponseBodyError ? error.status : cause instanceof Response ? cause.status : 0;
  if (status >= 500) return error;
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return new SignInRefused(`the issuer refuses: ${/^[a-z_]{1,60}$/.test(error.error) ? error.error : 'other'}`);
  if (typeof code === 'string' && code.startsWith('OAUTH_') && code !== 'OAUTH_TIMEOUT') return new SignInRefused(code);
  return error;
}
