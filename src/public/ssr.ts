// The public entry `chartroom/ssr`: sessions in cookies, shared with servers and with @supabase/ssr.
export {
  type BrowserClientOptions,
  chartroomOf,
  createBrowserClient,
  createCookieStorage,
  type CookieStorageOptions,
  createServerClient,
  type ServerClientOptions,
} from '../services/ssr/index.ts'
export type { SessionStorage } from '../services/runtime/index.ts'
