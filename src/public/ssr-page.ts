// The public entry `chartroom/ssr` in bundles for pages, under the condition `browser`: the same exports.
export {
  type BrowserClientOptions,
  chartroomOf,
  createPageClient as createBrowserClient,
  createCookieStorage,
  type CookieStorageOptions,
  createServerClient,
  type ServerClientOptions,
} from '../services/ssr/index.ts'
export type { SessionStorage } from '../services/runtime/index.ts'
