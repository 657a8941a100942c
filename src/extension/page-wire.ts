// The wire to a page that records itself with `@chartroom/devtools/vite`, over the developer tools.
import { fromApp } from '../ui/console/attach/tab-messages.ts'
import type { FromApp, FromWindow, Wire } from '../ui/console/attach/tab-protocol.ts'
import type { InspectedPage } from './inspected-page.ts'
import { parsedAnswer, pollPage } from './page-poll.ts'

/** How often the page is asked for messages, in milliseconds. */
const PACE = 100

/** Opens the wire; messages are JSON in both directions. */
export function openPageWire(page: InspectedPage): Wire<FromWindow, FromApp> {
  const id = JSON.stringify(crypto.randomUUID())
  const listeners: ((message: FromApp) => void)[] = []
  const code = `globalThis.__CHARTROOM__ ? globalThis.__CHARTROOM__.take(${id}) : '[]'`
  const close = pollPage(page, { code, every: PACE }, answer => {
    for (const message of messagesIn(answer)) for (const take of listeners) take(message)
  })
  return {
    send: message =>
      void page.run(`globalThis.__CHARTROOM__?.send(${id}, ${JSON.stringify(JSON.stringify(message))})`),
    onMessage: listener => void listeners.push(listener),
    close,
  }
}

function messagesIn(answer: unknown): readonly FromApp[] {
  const list = parsedAnswer(answer)
  if (Array.isArray(list)) return list.map(message => fromApp(withBytes(message)))
  return answer === undefined ? [] : [{ kind: 'unreadable', problem: 'its answer is not a list of messages' }]
}

/** The bytes of a file are text in JSON. */
function withBytes(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('bytes' in message)) return message
  const { bytes } = message
  if (typeof bytes !== 'string') return message
  try {
    const data = Uint8Array.from(atob(bytes), sign => sign.charCodeAt(0))
    return { ...message, bytes: new Blob([data], { type: 'application/gzip' }) }
  } catch {
    return undefined
  }
}
