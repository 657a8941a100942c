// Sessions in cookies: a storage for browsers, and a client for each request on a server.
export { createCookieStorage, type CookieStorageOptions } from './cookie-storage.ts'
export { createServerClient, type ServerClientOptions } from './server-client.ts'
