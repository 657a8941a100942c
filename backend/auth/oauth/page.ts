// Pages of the simulated provider: choosing a user, and errors.
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { PAGE_STYLE } from './page-style.ts'
import type { Profile } from './profile.ts'

/** Demo users that need no typing. */
export const HARBOUR_PEOPLE: readonly Profile[] = [
  { email: 'skipper@harbour.test', name: 'Sal Gannet', emailVerified: true },
  { email: 'mate@harbour.test', name: 'Merle Tern', emailVerified: true },
  { email: 'pilot@harbour.test', name: 'Piet Fulmar', emailVerified: true },
]

export interface ChoosePage {
  /** Display name of the provider. */
  readonly title: string
  /** The backend that requests the sign-in, as `host:port`. */
  readonly host: string
  readonly scopes: readonly string[]
  readonly formToken: string
  /** Previous input that was rejected. */
  readonly values?: { readonly email: string; readonly name: string; readonly verified: boolean }
  readonly error?: string
}

/** The page on which the user selects an identity or cancels. */
export function choosePage(page: ChoosePage): Promise<Response> {
  const { title, host, scopes, formToken } = page
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`
  return document(
    page.error === undefined ? 200 : 422,
    `Sign in with ${title}`,
    html`<p>
        Simulated ${title} sign-in for <strong>${host}</strong>. Choose any user; nothing leaves this machine.
      </p>
      ${scopes.length === 0 ? '' : html`<p>Scopes: <code>${scopes.join(' ')}</code></p>`}
      <section aria-labelledby="people">
        <h2 id="people">Demo people</h2>
        <form method="post">
          ${token}
          <ul>
            ${HARBOUR_PEOPLE.map(person => html`<li>${personButton(person)}</li>`)}
          </ul>
        </form>
      </section>
      <section class="or" aria-labelledby="other">
        <h2 id="other">Another user</h2>
        <form method="post">${token} ${fields(page)}</form>
      </section>`,
  )
}

function personButton({ email, name }: Profile) {
  return html`<button class="person" name="person" value="${email}">
    <span class="initial" aria-hidden="true">${name.charAt(0)}</span>
    <span><b>${name}</b><small>${email}</small></span>
  </button>`
}

function fields({ values, error }: ChoosePage) {
  const invalid =
    error === undefined ? '' : raw(' aria-invalid="true" aria-describedby="email-error" autofocus')
  const checked = (values?.verified ?? true) ? raw(' checked') : ''
  return html`<label
      >Email
      <input
        name="email"
        type="email"
        required
        autocomplete="off"
        value="${values?.email ?? ''}"
        ${invalid}
      />
    </label>
    ${error === undefined ? '' : html`<p class="error" id="email-error">${error}</p>`}
    <label>Name <input name="name" autocomplete="off" maxlength="200" value="${values?.name ?? ''}" /></label>
    <label
      ><input type="checkbox" name="verified" value="yes" ${checked} /> Email verified by the provider</label
    >
    <div class="actions">
      <button class="primary" name="decision" value="approve">Sign in</button>
      <button name="decision" value="deny" formnovalidate>Cancel</button>
    </div>`
}

/** An error page that explains why a sign-in can't start. */
export function refusalPage(status: number, heading: string, reason: string): Promise<Response> {
  return document(status, heading, html`<p>${reason}</p>`)
}

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64')
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const COMPASS = raw(
  '<svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M12 3v4M12 17v4M3 12h4M17 12h4M15.5 8.5l-2 5-5 2 2-5z"/></svg>',
)

async function document(status: number, heading: string, content: unknown): Promise<Response> {
  const body = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${heading} · Chartroom</title>
        <link rel="icon" href="data:," />
        ${raw(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <main>
          <div class="brand">${COMPASS} Chartroom</div>
          <h1>${heading}</h1>
          ${content}
        </main>
      </body>
    </html>`
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Keeps the Origin header of the form, but hides the URL with its state from other sites.
      'referrer-policy': 'same-origin',
    },
  })
}
