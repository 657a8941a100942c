// The inbox: its store, its JSON for programs, its page, and who may read them.
import { expect, test } from 'vitest'
import { inboxPage } from '../../backend/inbox/page.ts'
import { createInbox, type MailDraft } from '../../backend/inbox/index.ts'
import { officialClient, startTestBackend } from '../harness/backend.ts'
import { mailTo, newAddress } from '../harness/mail.ts'

const backend = await startTestBackend()
const client = officialClient(backend)
const url = `${backend.url}/_chartroom/inbox`

const draft = (to: string): MailDraft => ({ to, type: 'sms', subject: 'Your code', text: [], otp: '123456' })

/** Asks for a mail to a new address. */
async function someMail() {
  const email = newAddress('reader')
  await client.auth.signInWithOtp({ email })
  return mailTo(backend, email)
}

test('the newest 200 mails are kept, newest first', () => {
  const inbox = createInbox()
  const before = inbox.revision
  for (let n = 1; n <= 205; n += 1) inbox.put(draft(`a${n}@b.test`), 0)
  const ids = inbox.messages().map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => 205 - index))
  expect(inbox.messages('A205@b.test')).toEqual([
    { ...draft('a205@b.test'), id: 205, sentAt: '1970-01-01T00:00:00.000Z' },
  ])
  inbox.clear()
  expect(inbox.messages()).toEqual([])
  expect(inbox.revision - before).toBe(206)
})

test('the next mail to an address is waited for', async () => {
  const email = newAddress('waiting')
  const next = backend.inbox.next(email)
  await someMail()
  await client.auth.signInWithOtp({ email })
  expect((await next).to).toBe(email)
})

test('programs get JSON, of one address if they like', async () => {
  const mail = await someMail()
  await someMail()
  const expected = { revision: expect.any(Number), messages: [mail] }
  expect(await (await fetch(`${url}.json?to=${mail.to}`)).json()).toEqual(expected)
  expect(await (await fetch(`${url}?to=${mail.to.toUpperCase()}`)).json()).toEqual(expected)
  expect(Object.keys(mail).sort()).toEqual([
    'id',
    'link',
    'otp',
    'redirectTo',
    'sentAt',
    'subject',
    'text',
    'to',
    'tokenHash',
    'type',
  ])
})

test('a program may wait until there is a mail', async () => {
  const email = newAddress('patient')
  const waiting = fetch(`${url}.json?to=${email}&wait=20`)
  await client.auth.signInWithOtp({ email })
  expect(await (await waiting).json()).toMatchObject({ messages: [{ to: email }] })
})

test('a reader waits for what it has not seen, an emptied inbox too', async () => {
  const { revision } = (await (await fetch(`${url}.json`)).json()) as { revision: number }
  const waiting = fetch(`${url}.json?since=${revision}&wait=20`)
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(204)
  expect(await (await waiting).json()).toEqual({ revision: revision + 1, messages: [] })
  expect(backend.inbox.messages()).toEqual([])
})

test('nobody waits for a backend that stops', async () => {
  const other = await startTestBackend()
  const waiting = fetch(`${other.url}/_chartroom/inbox.json?wait=20`).catch(() => undefined)
  await fetch(`${other.url}/_chartroom/health`)
  const before = performance.now()
  await other.stop()
  await waiting
  expect(performance.now() - before).toBeLessThan(10_000)
})

test('people get a page', async () => {
  const mail = await someMail()
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=UTF-8',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  const page = await response.text()
  expect(
    [mail.to, mail.otp, mail.link?.replaceAll('&', '&amp;') ?? ''].filter(text => !page.includes(text)),
  ).toEqual([])
})

test('nothing of a mail is taken for HTML', async () => {
  const evil = `"'><img src=x onerror=alert(1)>`
  const inbox = createInbox()
  inbox.put({ to: evil, type: 'magiclink', subject: evil, text: [evil], otp: evil, link: evil }, 0)
  const page = String(await inboxPage({ mails: inbox.messages(), revision: 1, messageId: null, now: 0 }))
  expect(page).toContain('onerror')
  expect(page).not.toContain('<img')
  expect(page).not.toContain(`"'`)
})

test('a foreign page gets nothing, and empties nothing', async () => {
  const mail = await someMail()
  const headers = { origin: 'https://evil.test' }
  for (const [path, method] of [
    ['', 'GET'],
    ['.json', 'GET'],
    ['', 'DELETE'],
  ] as const) {
    const response = await fetch(`${url}${path}`, { method, headers })
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
    expect(await response.json()).toEqual(
      expect.objectContaining({ message: 'Pages of https://evil.test may not use this backend' }),
    )
  }
  expect(backend.inbox.messages(mail.to)).toEqual([mail])
})

test('other methods and names are refused', async () => {
  const answers = await Promise.all([
    fetch(url, { method: 'POST' }),
    fetch(`${url}.json`, { method: 'PUT' }),
    fetch(`${url}.xml`),
  ])
  expect(answers.map(({ status }) => status)).toEqual([405, 405, 404])
})
