// The inbox: the mails that the backend would have sent, kept in memory only.
import { randomInt } from 'node:crypto'

/** What a mail is about; the names are those of the links' types. */
export type MailType =
  | 'signup'
  | 'invite'
  | 'magiclink'
  | 'recovery'
  | 'email_change'
  | 'reauthentication'
  | 'sms'
  | 'phone_change'

/** A mail as it is put in. */
export interface MailDraft {
  /** Address, or phone number for a text message. */
  readonly to: string
  readonly type: MailType
  readonly subject: string
  /** Paragraphs of plain text. */
  readonly text: readonly string[]
  /** The code to type. */
  readonly otp: string
  /** The link to follow; a mail for reauthentication and a text message have none. */
  readonly link?: string
  /** What `verifyOtp({ token_hash })` takes. */
  readonly tokenHash?: string
  /** Where the link leads in the end. */
  readonly redirectTo?: string
}

export interface Mail extends MailDraft {
  /** Counts up from 1 as long as the backend runs. */
  readonly id: number
  /** ISO time, by the backend's clock. */
  readonly sentAt: string
}

export interface Inbox {
  /** Goes up with every change, so that a reader knows whether it has seen it. */
  readonly revision: number
  /** Newest first; only those to one address when it is given. */
  messages(to?: string): readonly Mail[]
  /** The next mail, to one address when it is given, that comes after this call. */
  next(to?: string): Promise<Mail>
  put(draft: MailDraft, sentAt: number): Mail
  clear(): void
  /** Calls back after each change until the returned function is called. */
  subscribe(listener: (added: Mail | undefined) => void): () => void
}

/** How many mails are kept; the oldest go first. */
const CAPACITY = 200

export function createInbox(): Inbox {
  let kept: readonly Mail[] = []
  let lastId = 0
  // Where it begins is drawn, so that a reader who was here before a restart is not taken to have seen all.
  let revision = randomInt(1_000_000_000)
  const listeners = new Set<(added: Mail | undefined) => void>()
  const change = (mails: readonly Mail[], added?: Mail) => {
    kept = mails
    revision += 1
    for (const listener of listeners) listener(added)
  }
  const subscribe: Inbox['subscribe'] = listener => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get revision() {
      return revision
    },
    messages: to => kept.filter(mail => isTo(mail, to)),
    next: to =>
      new Promise(resolve => {
        const unsubscribe = subscribe(added => {
          if (!added || !isTo(added, to)) return
          unsubscribe()
          resolve(added)
        })
      }),
    put(draft, sentAt) {
      lastId += 1
      const mail: Mail = { ...draft, id: lastId, sentAt: new Date(sentAt).toISOString() }
      change([mail, ...kept].slice(0, CAPACITY), mail)
      return mail
    },
    clear: () => change([]),
    subscribe,
  }
}

function isTo(mail: Mail, to: string | undefined): boolean {
  return to === undefined || mail.to.toLowerCase() === to.toLowerCase()
}
