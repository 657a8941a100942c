// Uses the notes app of an example in a browser: all of them have the same labels and buttons.
import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import type { BrowserContext, Page } from 'playwright-core'
import type { Trial } from './trial.ts'

const ADA = { email: 'ada@example.com', password: 'chartroom-demo' }
const OWN = 'Buy rope'
const OTHERS = 'Mend the sail'

/** What one page of a new browser profile offers for the steps. */
export interface NotesPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Goes to a page and waits until its scripts have nothing more to load: earlier clicks may do nothing. */
  open(url: string): Promise<void>
  signIn(): Promise<void>
  signOut(): Promise<void>
  /** Waits for a note in the list. */
  see(text: string): Promise<void>
  seeForm(): Promise<void>
  close(): Promise<void>
}

/**
 * The time limit of each step in a page, in milliseconds: a development server bundles the dependencies for its
 * first page, which takes longer than Playwright's 30 seconds on a busy machine.
 */
const STEP_TIME = 120_000

export async function openNotes({ browser }: Trial, url: string): Promise<NotesPage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_TIME)
  const open = async (place: string) => {
    await page.goto(place)
    await page.waitForLoadState('networkidle')
  }
  await open(url)
  const form = page.getByLabel('Password')
  const notes = page.getByRole('listitem')
  return {
    page,
    context,
    open,
    async signIn() {
      await page.getByLabel('Email').fill(ADA.email)
      await form.fill(ADA.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await notes.filter({ hasText: OWN }).waitFor()
    },
    async signOut() {
      await page.getByRole('button', { name: 'Sign out' }).click()
      await form.waitFor()
    },
    see: text => notes.filter({ hasText: text }).waitFor(),
    seeForm: () => form.waitFor(),
    close: () => context.close(),
  }
}

export interface DriveOptions {
  /** Whether the server renders the user's notes into the page. */
  readonly isRendered: boolean
}

/** Signs in, sees rows and changes of rows, adds one, reloads, and signs out. */
export async function drivePage(trial: Trial, url: string, { isRendered }: DriveOptions): Promise<void> {
  const { step } = trial
  const notes = await openNotes(trial, 'about:blank')
  const { page, context } = notes
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`)
  })
  let frames = ''
  page.on('websocket', socket => {
    socket.on('framereceived', ({ payload }) => void (frames += payload.toString()))
  })
  const html = async () => (await context.request.get(url)).text()
  try {
    await step('sign-in', async () => {
      await notes.open(url)
      await notes.signIn()
    })
    await step('rows of the user only', async () => {
      if ((await page.getByText(OTHERS).count()) > 0) throw new Error('a note of another user is shown')
    })
    await step('live change', async () => {
      await until('row changes are on', () => frames.includes('Subscribed to PostgreSQL'))
      const text = `From elsewhere ${randomUUID()}`
      await addElsewhere(trial, text)
      await notes.see(text)
      if (!frames.includes(text)) throw new Error('the row did not arrive over realtime')
    })
    await step('own change', async () => {
      const text = `From the page ${randomUUID()}`
      await page.getByLabel('New note').fill(text)
      await page.getByRole('button', { name: 'Add' }).click()
      await notes.see(text)
    })
    await step('reload keeps the session', async () => {
      await page.reload()
      await notes.see(OWN)
    })
    if (isRendered)
      await step('rows in the first response', async () => {
        const text = await html()
        if (!text.includes(OWN)) throw new Error('the HTML does not contain the rows')
        if (text.includes(OTHERS)) throw new Error('the HTML contains a row of another user')
      })
    await step('sign-out', async () => {
      await notes.signOut()
      const shown = page.getByText(OWN).filter({ visible: true })
      if ((await shown.count()) > 0) throw new Error('the rows are still shown')
      await page.reload()
      await notes.seeForm()
    })
    if (isRendered)
      await step('no rows after it', async () => {
        if ((await html()).includes(OWN)) throw new Error('the HTML still contains the rows')
      })
    await step('no errors in the page', async () => {
      if (errors.length > 0) throw new Error(errors.join(' '))
    })
  } finally {
    await notes.close()
  }
}

/** Signs in by the link of an email, whose code the server exchanges for a session. */
export async function driveLink(trial: Trial, url: string): Promise<void> {
  const inbox = `${trial.backend.url}/_chartroom/inbox`
  await trial.step('email link', async () => {
    const notes = await openNotes(trial, url)
    try {
      await fetch(inbox, { method: 'DELETE' })
      await notes.page.getByLabel('Email').fill(ADA.email)
      await notes.page.getByRole('button', { name: 'Email link' }).click()
      const response = await fetch(`${inbox}.json?to=${ADA.email}&wait=30`)
      const { messages } = (await response.json()) as { readonly messages: readonly { link?: string }[] }
      await notes.page.goto(messages[0]?.link ?? 'about:blank')
      await notes.see(OWN)
      const html = await (await notes.context.request.get(url)).text()
      if (!html.includes(OWN)) throw new Error('the HTML does not contain the rows')
    } finally {
      await notes.close()
    }
  })
}

async function addElsewhere({ backend }: Trial, text: string): Promise<void> {
  const other = createClient(backend.url, backend.publishableKey, { auth: { persistSession: false } })
  const { error: refused } = await other.auth.signInWithPassword(ADA)
  if (refused) throw refused
  await other.from('notes').insert({ text }).throwOnError()
  await other.auth.stopAutoRefresh()
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isTrue()) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`not in 30 s: ${what}`)
}
