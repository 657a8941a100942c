// The wire to a page that records itself with `chartroom/vite`, over the developer tools.
import type { FromApp, FromWindow, Wire } from '../ui/console/attach/tab-protocol.ts'
import type { InspectedPage } from './inspected-page.ts'

/** How often the page is asked for messages, in milliseconds. */
const PACE = 100

/** Opens the wire; messages are JSON in both directions. */
export function openPageWire({ run }: InspectedPage): Wire<FromWindow, FromApp> {
  const id = JSON.stringify(crypto.randomUUID())
  const listeners: ((message: FromApp) => void)[] = []
  let isOpen = true
  const pump = async () => {
    if (!isOpen) return
    const texts = await run(`globalThis.__CHARTROOM__?.take(${id})`)
    if (typeof texts === 'string')
      for (const message of JSON.parse(texts) as unknown[])
        for (const take of listeners) take(received(message))
    if (isOpen) setTimeout(() => void pump(), PACE)
  }
  void pump()
  return {
    send: message =>
      void run(`globalThis.__CHARTROOM__?.send(${id}, ${JSON.stringify(JSON.stringify(message))})`),
    onMessage: listener => void listeners.push(listener),
    close: () => {
      isOpen = false
    },
  }
}

type FileText = Omit<FromApp & { kind: 'file' }, 'bytes'> & { readonly bytes?: string }

/** The bytes of a file are text in JSON. */
function received(message: unknown): FromApp {
  const { bytes, ...rest } = message as FileText
  if (rest.kind !== 'file' || bytes === undefined) return message as FromApp
  const data = Uint8Array.from(atob(bytes), sign => sign.charCodeAt(0))
  return { ...rest, bytes: new Blob([data], { type: 'application/gzip' }) }
}
