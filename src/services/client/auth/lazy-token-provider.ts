// The token provider of a client with `accessToken`: its code loads with the first question.
import type {
  AuthenticateEvent,
  ReadEvent,
  RefreshTokenEvent,
  RemoveEvent,
  RevokeEvent,
  SignOutScope,
} from '../../../machines/index.ts'
import { effect, RequestError } from '../../runtime/index.ts'
import type { AuthApi, Result } from '../client-types.ts'
import { unloaded } from './supabase-auth.ts'
import type { TokenProviderHost, TokenProvider } from './token-provider.ts'

export interface LazyTokenProviderHost {
  readonly load: () => Promise<{ readonly createTokenProvider: (host: TokenProviderHost) => TokenProvider }>
  /** Called when the client is complete. */
  readonly host: () => TokenProviderHost
}

export function createLazyTokenProvider({ load, host }: LazyTokenProviderHost) {
  let tokenProvider: Promise<TokenProvider> | undefined
  /** @throws RequestError if the code cannot be loaded */
  const provider = () =>
    (tokenProvider ??= load().then(
      ({ createTokenProvider }) => createTokenProvider(host()),
      () => {
        tokenProvider = undefined
        throw new RequestError(unloaded)
      },
    ))
  const refresh = (): Promise<Result<void>> =>
    provider()
      .then(({ synced }) => synced())
      .then(
        () => ({ ok: true, value: undefined }),
        (error: unknown) => {
          if (!(error instanceof RequestError)) throw error
          return { ok: false, failure: error.failure }
        },
      )
  return {
    ready: async () => (await provider()).ready(),
    /** Ports of the session in place of those for storage and auth server. */
    ports: {
      readSession: effect<{ readonly tokenId?: string } | undefined, ReadEvent>(async input =>
        (await provider()).readSession(input?.tokenId),
      ),
      authenticate: effect<{ readonly attempt: string }, AuthenticateEvent>(async ({ attempt }) =>
        (await provider()).authenticate(attempt),
      ),
      refreshToken: effect<{ readonly tokenId: string }, RefreshTokenEvent>(async ({ tokenId }) =>
        (await provider()).refreshToken(tokenId),
      ),
      removeSession: effect<{ readonly tokenId: string; readonly isOver: boolean }, RemoveEvent>(async () => {
        ;(await provider()).forget()
        return { type: 'stored.removed' }
      }),
      revoke: effect<{ readonly tokenId: string; readonly scope: SignOutScope }, RevokeEvent>(() =>
        Promise.resolve({ type: 'revoke.succeeded' }),
      ),
    },
    /** As in the official client, the user is the auth service's; only its token can be asked for. */
    api: new Proxy({} as AuthApi, {
      get(_, name) {
        if (name === 'refresh') return refresh
        throw new Error(
          `The client has the \`accessToken\` option, so \`auth.${String(name)}\` is not possible.`,
        )
      },
    }),
    dispose: () => void tokenProvider?.then(({ dispose }) => dispose()),
  }
}
