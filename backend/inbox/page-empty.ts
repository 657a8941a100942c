// What the inbox page says while there is no mail.
import { html } from 'hono/html'

/** How to get a mail. */
export const EMPTY = html`<section class="empty" aria-labelledby="empty">
  <svg viewBox="0 0 48 36" width="64" height="48" aria-hidden="true">
    <g fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">
      <rect x="9" y="5" width="30" height="20" rx="2.5" />
      <path d="m10 7 14 10.5L38 7" />
      <path d="M3 31q3.5-3 7 0t7 0 7 0 7 0 7 0 7 0" />
    </g>
  </svg>
  <h2 id="empty">No mail yet</h2>
  <p>
    This backend sends nothing into the world. The mails of a sign-up, a sign-in link, a new password, an
    invitation or a new address land here, with the code and the link to click.
  </p>
  <p>Ask for one, and it shows up by itself:</p>
  <pre><code>await supabase.auth.signInWithOtp({
  email: 'skipper@harbour.test',
})</code></pre>
  <p>Tests read the same at <a href="/_chartroom/inbox.json">inbox.json</a>.</p>
</section>`
