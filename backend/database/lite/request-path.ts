// The names in the path of a REST request.

/** Returns the table or view; undefined for functions and the root, and if it is encoded wrongly. */
export const tableIn = (url: string): string | undefined => nameIn(url, /^\/rest\/v1\/([^/]+)$/)

/** Returns the function; undefined for anything else. */
export const functionIn = (url: string): string | undefined => nameIn(url, /^\/rest\/v1\/rpc\/([^/]+)$/)

function nameIn(url: string, path: RegExp): string | undefined {
  const name = path.exec(new URL(url).pathname)?.[1]
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}
