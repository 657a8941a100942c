// With another auth server (`CHARTROOM_AUTH_URL`), its emails arrive in the inboxes of the backends under test.
import type { Backend } from '../../backend/index.ts'
import type { Mail } from '../../backend/inbox/store.ts'
import {
  openMailSink,
  type MailSink,
  type ReceivedMail,
} from '../../scripts/compatibility/compare/mail-sink.ts'

const TYPES: readonly string[] = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change',
  'reauthentication',
] satisfies Mail['type'][]
const isType = (type: string): type is Mail['type'] => TYPES.includes(type)

const inboxes = new Set<Backend['inbox']>()
let sink: Promise<MailSink> | undefined

/** Puts emails that arrive at the port `CHARTROOM_AUTH_SMTP_PORT` into the backend's inbox. */
export async function receiveMails({ inbox }: Pick<Backend, 'inbox'>): Promise<void> {
  const port = Number(process.env['CHARTROOM_AUTH_SMTP_PORT'] ?? 0)
  if (port === 0) return
  inboxes.add(inbox)
  await (sink ??= openMailSink(port, deliver))
}

/** The server does not say for which backend an email is. */
function deliver({ to, code, link }: ReceivedMail): void {
  const fields = URL.parse(link)?.searchParams
  const type = fields?.get('type') ?? 'reauthentication'
  const tokenHash = fields?.get('token')
  const redirectTo = fields?.get('redirect_to')
  const mail = {
    to,
    type: isType(type) ? type : 'reauthentication',
    subject: `${code} is the code`,
    text: [],
    otp: code,
    ...(link ? { link } : {}),
    ...(tokenHash ? { tokenHash } : {}),
    ...(redirectTo ? { redirectTo } : {}),
  } as const
  for (const inbox of inboxes) inbox.put(mail, Date.now())
}
