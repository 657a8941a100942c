// Empty state of the inbox page.
import { html } from 'hono/html'

/** Explains how to get an email. */
export const EMPTY = html`<section class="empty" aria-labelledby="empty">
  <svg viewBox="0 0 48 36" width="64" height="48" aria-hidden="true">
    <g fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">
      <rect x="9" y="5" width="30" height="20" rx="2.5" />
      <path d="m10 7 14 10.5L38 7" />
      <path d="M3 31q3.5-3 7 0t7 0 7 0 7 0 7 0 7 0" />
    </g>
  </svg>
  <h2 id="empty">No email yet</h2>
  <p>
    This backend doesn’t send real email. Emails for sign-up, sign-in, password reset, invitations and email
    changes appear here, with their code and link.
  </p>
  <p>Request one, and it appears here automatically:</p>
  <pre><code>await supabase.auth.signInWithOtp({
  email: 'skipper@harbour.test',
})</code></pre>
  <p>Tests can read them at <a href="/_chartroom/inbox.json">inbox.json</a>.</p>
</section>`
