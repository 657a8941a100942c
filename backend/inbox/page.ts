// The inbox page, rendered on the server: the list of emails and the selected one.
import { html } from 'hono/html'
import { EMPTY } from './page-empty.ts'
import { messageView } from './page-message.ts'
import { timeOf } from './page-script.ts'
import { ABOUT } from './page-text.ts'
import type { Mail } from './store.ts'

/** An HTML fragment in which all values are escaped. */
export type Html = ReturnType<typeof html>

export interface PageState {
  /** Newest first. */
  readonly mails: readonly Mail[]
  readonly revision: number
  /** Id of the email in the URL; null selects the newest. */
  readonly messageId: string | null
  /** Current time of the backend's clock. */
  readonly now: number
}

/** The whole page. */
export function inboxPage(state: PageState): Html {
  const { mails, revision, messageId } = state
  const read = messageId === null ? mails[0] : mails.find(({ id }) => String(id) === messageId)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Inbox · Chartroom</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="/_chartroom/inbox.css" />
        <script src="/_chartroom/inbox.js" defer></script>
      </head>
      <body>
        ${topBar(mails.length)}
        <main id="inbox" data-revision="${revision}" data-view="${messageId === null ? 'list' : 'message'}">
          ${
            mails.length === 0
              ? EMPTY
              : html`${mailList(state, read)}
                  <section class="message" aria-label="Email">${messageView(read)}</section>`
          }
        </main>
        <p id="said" class="unseen" role="status"></p>
      </body>
    </html>`
}

function topBar(count: number): Html {
  return html`<header>
    <a class="brand" href="/">${COMPASS}<span>Chartroom</span></a>
    <h1>Inbox</h1>
    <span id="count" class="count">${['', '1 email'][count] ?? `${count} emails`}</span>
    <span id="live" class="live" data-state="loaded" hidden></span>
    <button id="clear" type="button" hidden>Clear</button>
  </header>`
}

function mailList({ mails, now }: PageState, read: Mail | undefined): Html {
  return html`<nav class="list" aria-label="Emails">
    <ol id="mails" data-now="${now}">
      ${mails.map(mail => listRow(mail, mail === read, now))}
    </ol>
  </nav>`
}

function listRow(mail: Mail, isRead: boolean, now: number): Html {
  return html`<li>
    <a href="?message=${mail.id}" data-id="${mail.id}" aria-current="${isRead ? 'true' : 'false'}">
      <span class="to">${mail.to}</span>
      <time datetime="${mail.sentAt}">${timeOf(mail.sentAt, now)}</time>
      <span class="subject">${mail.subject}</span>
      <span class="chip">${ABOUT[mail.type]}</span>
    </a>
  </li>`
}

const COMPASS = html`<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
  <g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">
    <circle cx="12" cy="12" r="9.5" />
    <path d="M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3" />
  </g>
  <path d="M16 8l-2.4 5.6L8 16l2.4-5.6z" fill="currentColor" />
</svg>`

const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2a9aa0" stroke-width="2" stroke-linejoin="round"><rect x="2.5" y="5" width="19" height="14" rx="2.5"/><path d="m3.5 7 8.5 6.5L20.5 7"/></svg>`,
)}`
