// The mailer of the auth service: sends nothing over the network, every email goes to the inbox.
import type { Clock } from '../../shared/clock.ts'
import type { Inbox, MailDraft } from '../../inbox/index.ts'

export interface Mailer {
  send(draft: MailDraft): void
}

export function createMailer(inbox: Inbox, clock: Clock): Mailer {
  return { send: draft => void inbox.put(draft, clock.now()) }
}
