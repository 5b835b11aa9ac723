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
    const configuration = await this.#discover();
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, pending: { state, nonce, verifier } };
  }

  /**
   * Exchanges the code for the ID token, and checks issuer, audience, nonce, time and signature.
   * @param search query string with which the browser came back
   * @throws {SignInRefused}
   * @throws when the issuer does not answer
   */
  async finish(search: string, { state, nonce, verifier }: PendingSignIn): Promise<Account> {
    const configuration = await this.#discover();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    const tokens = await client
      .authorizationCodeGrant(configuration, new URL(`${this.#redirectUri}?${search}`), checks)
      .catch((error: unknown) => {
        throw reasonOf(error);
      });
    const claims = tokens.claims();
    if (claims === undefined) throw new SignInRefused('no ID token');
    const { iss: issuer, sub: subject, email, email_verified: isVerified } = claims;
    if (typeof email !== 'string') throw new SignInRefused('no e-mail address in the ID token');
    const isTrusted = isVerified === true || (isVerified === undefined && this.#settings.trustsEmail);
    if (!isTrusted) throw new SignInRefused('e-mail address not verified');
    return { issuer, subject, email };
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    const execute = [client.enableNonRepudiationChecks];
    // The settings accept http for this host alone.
    // oxlint-disable-next-line typescript/no-deprecated -- marked to stand out, and not to go
    if (url.protocol === 'http:') execute.push(client.allowInsecureRequests);
    const options = { execute, timeout: TIMEOUT_SECONDS };
    this.#configuration ??= client.discovery(url, clientId, {}, client.ClientSecretBasic(clientSecret), options);
    return await this.#configuration.catch((error: unknown) => {
      this.#configuration = undefined;
      throw error;
    });
  }
}

/** Returns a refusal for what the issuer has answered, and the error itself where it has not answered. */
function reasonOf(error: unknown): unknown {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return new SignInRefused(`the issuer refuses: ${/^[a-z_]{1,60}$/.test(error.error) ? error.error : 'other'}`);
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && code.startsWith('OAUTH_') && code !== 'OAUTH_TIMEOUT') return new SignInRefused(code);
  return error;
}
