// One email of the inbox page: text, code and link.
import { html } from 'hono/html'
import type { Html } from './page.ts'
import { timeOf } from './page-script.ts'
import type { Mail } from './store.ts'

/** The selected email, or a message that it no longer exists. */
export function messageView(mail: Mail | undefined): Html {
  if (!mail) {
    return html`<p class="gone">This email no longer exists.</p>
      <p><a class="back always" href="/_chartroom/inbox">All emails</a></p>`
  }
  return html`<a class="back" href="/_chartroom/inbox">All emails</a>
    <article id="message" tabindex="-1" data-id="${mail.id}" aria-labelledby="subject">
      <h2 id="subject">${mail.subject}</h2>
      <dl>
        <div>
          <dt>To</dt>
          <dd>${mail.to}</dd>
        </div>
        <div>
          <dt>Sent</dt>
          <dd><time datetime="${mail.sentAt}">${timeOf(mail.sentAt)}</time></dd>
        </div>
      </dl>
      ${mail.text.map(paragraph => html`<p>${paragraph}</p>`)}
      <div class="ways">${linkOf(mail)} ${codeOf(mail)}</div>
      ${detailsOf(mail)}
    </article>`
}

function linkOf({ link }: Mail): Html | '' {
  if (link === undefined) return ''
  return html`<p class="way">
    <a class="button" href="${link}" target="_blank" rel="noopener noreferrer"
      >Open link<span class="unseen"> (in a new tab)</span></a
    >
    <button type="button" data-copy="${link}" data-name="Link" hidden>Copy link</button>
  </p>`
}

function codeOf({ otp, link }: Mail): Html | '' {
  if (otp === '') return ''
  return html`<p class="way">
    <span class="label">${link === undefined ? 'Code' : 'or enter'}</span>
    <code class="otp">${otp}</code>
    <button type="button" data-copy="${otp}" data-name="Code" hidden>Copy code</button>
  </p>`
}

function detailsOf({ link, tokenHash, redirectTo, type }: Mail): Html | '' {
  if (link === undefined) return ''
  return html`<details>
    <summary>Use in tests</summary>
    <dl>
      ${row('type', type)} ${row('token_hash', tokenHash)} ${row('redirect_to', redirectTo)}
      ${row('link', link)}
    </dl>
  </details>`
}

function row(name: string, value: string | undefined): Html | '' {
  if (value === undefined) return ''
  return html`<div>
    <dt>${name}</dt>
    <dd><code>${value}</code></dd>
  </div>`
}
