// A mail server that keeps what it receives, for the codes and links of the original's emails.
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

/** What a conversation needs of an email. */
export interface ReceivedMail {
  readonly to: string
  readonly code: string
  readonly link: string
}

export interface MailSink {
  readonly port: number
  /** Removes and returns the oldest email to an address; undefined if none arrives in time. */
  take(to: string): Promise<ReceivedMail | undefined>
  close(): void
}

/** How long an email may take after the response. */
const MAIL_MS = 3_000

/**
 * Listens on loopback.
 * @param onMail called with each email before its sender is answered; defaults to keeping it for `take`
 * @throws Error with code `EADDRINUSE` if the port is taken
 */
export async function openMailSink(port: number, onMail?: (mail: ReceivedMail) => void): Promise<MailSink> {
  const mails: ReceivedMail[] = []
  const server = createServer(socket => receive(socket, onMail ?? (mail => void mails.push(mail))))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    take: to => takeFrom(mails, to),
    close: () => server.close(),
  }
}

/** Waits for an email to an address in a list, and removes it. */
export async function takeFrom(mails: ReceivedMail[], to: string): Promise<ReceivedMail | undefined> {
  const end = Date.now() + MAIL_MS
  for (;;) {
    const index = mails.findIndex(mail => mail.to === to)
    if (index >= 0) return mails.splice(index, 1)[0]
    if (Date.now() > end) return undefined
    await delay(20)
  }
}

/** Speaks as much SMTP as a sender without encryption needs. */
function receive(socket: Socket, onMail: (mail: ReceivedMail) => void): void {
  let to = ''
  let text: string[] | undefined
  const reply = (line: string) => socket.write(`${line}\r\n`)
  socket.on('error', () => socket.destroy())
  reply('220 ready')
  createInterface({ input: socket }).on('line', line => {
    if (text) {
      if (line !== '.') return void text.push(line.startsWith('.') ? line.slice(1) : line)
      onMail(readMail(to, text.join('\n')))
      text = undefined
      return void reply('250 ok')
    }
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (verb === 'DATA') {
      text = []
      return void reply('354 go ahead')
    }
    if (verb === 'QUIT') return void socket.end('221 bye\r\n')
    reply('250 ok')
  })
}

/** The code is the first word of the subject, the link the first in the text. */
export function readMail(to: string, source: string): ReceivedMail {
  const [head = '', ...parts] = source.split('\n\n')
  const body = parts.join('\n\n')
  const text = /^content-transfer-encoding: *quoted-printable/im.test(source) ? decodeQuoted(body) : body
  const link = /href="([^"]+)"/.exec(text)?.[1] ?? ''
  return {
    to,
    code: /^subject: *(\S+)/im.exec(head)?.[1] ?? '',
    link: link.replaceAll('&amp;', '&'),
  }
}

function decodeQuoted(text: string): string {
  return text
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
