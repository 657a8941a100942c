// The test inbox: emails that the backend would have sent, kept in memory only.
import { randomInt } from 'node:crypto'

/** Type of an email; same names as the types of its link. */
export type MailType =
  | 'signup'
  | 'invite'
  | 'magiclink'
  | 'recovery'
  | 'email_change'
  | 'reauthentication'
  | 'sms'
  | 'phone_change'

/** An email to be added. */
export interface MailDraft {
  /** Address, or phone number for a text message. */
  readonly to: string
  readonly type: MailType
  readonly subject: string
  /** Paragraphs of plain text. */
  readonly text: readonly string[]
  /** The code to enter. */
  readonly otp: string
  /** The link to open; reauthentication emails and text messages have none. */
  readonly link?: string
  /** Argument for `verifyOtp({ token_hash })`. */
  readonly tokenHash?: string
  /** Final destination of the link. */
  readonly redirectTo?: string
}

export interface Mail extends MailDraft {
  /** Counts up from 1 while the backend runs. */
  readonly id: number
  /** ISO time of the backend's clock. */
  readonly sentAt: string
}

export interface Inbox {
  /** Increases with every change, so that a reader can detect changes. */
  readonly revision: number
  /** Newest first; with `to`, only emails to that address. */
  messages(to?: string): readonly Mail[]
  /** Resolves to the next email added after this call; with `to`, only emails to that address. */
  next(to?: string): Promise<Mail>
  put(draft: MailDraft, sentAt: number): Mail
  clear(): void
  /** Calls back after each change; returns a function that unsubscribes. */
  subscribe(listener: (mail: Mail | undefined) => void): () => void
}

/** Maximum number of emails; the oldest are dropped. */
const CAPACITY = 200

export function createInbox(): Inbox {
  let storedMails: readonly Mail[] = []
  let lastId = 0
  // Starts at a random number, so that a reader from before a restart does not miss changes.
  let revision = randomInt(1_000_000_000)
  const listeners = new Set<(mail: Mail | undefined) => void>()
  const change = (mails: readonly Mail[], newMail?: Mail) => {
    storedMails = mails
    revision += 1
    for (const listener of listeners) listener(newMail)
  }
  const subscribe: Inbox['subscribe'] = listener => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get revision() {
      return revision
    },
    messages: to => storedMails.filter(mail => isTo(mail, to)),
    next: to =>
      new Promise(resolve => {
        const unsubscribe = subscribe(mail => {
          if (!mail || !isTo(mail, to)) return
          unsubscribe()
          resolve(mail)
        })
      }),
    put(draft, sentAt) {
      lastId += 1
      const mail: Mail = { ...draft, id: lastId, sentAt: new Date(sentAt).toISOString() }
      change([mail, ...storedMails].slice(0, CAPACITY), mail)
      return mail
    },
    clear: () => change([]),
    subscribe,
  }
}

function isTo(mail: Mail, to: string | undefined): boolean {
  return to === undefined || mail.to.toLowerCase() === to.toLowerCase()
}
