// What browser tests read from a workbench page beyond single elements.
import type { WorkbenchPage } from './workbench-page.ts'

/** The notes of the visible log entries. */
export async function rowNotes(workbench: WorkbenchPage): Promise<string[]> {
  const headers = await workbench.page.getByRole('grid').first().getByRole('columnheader').allInnerTexts()
  const at = headers.findIndex(header => header.startsWith('note'))
  return workbench.rows.evaluateAll(
    (rows, column) => rows.map(row => row.children.item(column)?.textContent ?? ''),
    at,
  )
}

/** Everything that must not appear anywhere: the stored tokens, the key, the password. */
export async function secretsOf(workbench: WorkbenchPage, password: string): Promise<string[]> {
  const stored = await workbench.page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, value]) =>
      key.startsWith('chartroom.session.') ? [String(value)] : [],
    ),
  )
  const tokens = stored.flatMap(text => {
    const { access_token, refresh_token } = JSON.parse(text) as {
      access_token: string
      refresh_token: string
    }
    return [access_token, refresh_token]
  })
  const { key } = (await (
    await workbench.page.request.get(new URL('/_chartroom/config', workbench.page.url()).href)
  ).json()) as { key: string }
  return [...tokens, key, password]
}

/** Everything in the page's databases as text; binary values are gzipped text. */
export const databaseText = ({ page }: WorkbenchPage): Promise<string> =>
  page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('The request failed')))
      })
    const textOf = async (value: unknown): Promise<string> => {
      if (!(value instanceof Uint8Array)) return JSON.stringify(value)
      const packed = new Response(new Uint8Array(value)).body
      return new Response(packed?.pipeThrough(new DecompressionStream('gzip'))).text()
    }
    const texts: string[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await resultOf(indexedDB.open(name))
      for (const store of db.objectStoreNames) {
        const rows = await resultOf(db.transaction(store).objectStore(store).getAll())
        texts.push(`${name}/${store}`, ...(await Promise.all(rows.map(textOf))))
      }
      db.close()
    }
    return texts.join('\n')
  })
