// Sessions in cookies: a client and a storage for pages, and a client for each request on a server.
export type { BrowserClientOptions } from './browser-client.ts'
export { chartroomOf } from './chartroom-of.ts'
export { createCookieStorage, type CookieStorageOptions } from './cookie-storage.ts'
export { createBrowserClient } from './create-browser-client.ts'
export { createPageClient } from './create-page-client.ts'
export { createServerClient, type ServerClientOptions } from './server-client.ts'
