// States of the console next to the running app: docked, controlled, maximized, in a separate window, on a phone.
import { createMachine } from 'xstate'
import { inspectedRun } from '../../harness/inspected.ts'
import { cutTabs, covered, freeSections } from './fits.ts'
import { DIALOG, enter, escape, FEW, keys, MENU, openTable, press, sections, visit } from './page.ts'
import { SIZES, type Act, type State } from './state.ts'

const CONSOLE = 'section[aria-label="Console"]'
const pane = (name: string) => `${CONSOLE} [data-pane=${name}]`

/** Fails as soon as a user signs in. */
const FAILING = JSON.stringify([
  {
    name: 'never signs in',
    check: { never: { src: 'session', entered: 'authenticated' }, says: 'A user signed in.' },
  },
])

/** What the middle and the pane of the event show at once: each of their views is in one of these states. */
const VIEWS = [
  ['Sequence', 'Event'],
  ['Timeline', 'Diff'],
  ['Network', 'Context'],
  ['Checks', 'Cause'],
  ['Coverage', 'History'],
  ['Replay', 'Event'],
] as const

/** Control panel tabs, which take the place of the event, with the kinds of an export. */
const CONTROLS = [
  ['Paused', 'Test'],
  ['Send', 'Steps'],
  ['Timers', 'File'],
  ['Breakpoints'],
  ['Faults'],
  ['Effects'],
  ['Go to state'],
  ['Branch'],
] as const

export const docked: Act = (page, product) => {
  const console = page.getByRole('region', { name: 'Console' })
  const button = (name: string) => console.getByRole('button', { name })
  const log = console.getByRole('treegrid', { name: 'Event log' })
  const bookmarks = page.getByRole('dialog', { name: 'Bookmarks' })
  const breakpoint = console.getByRole('checkbox', { name: /receives / })
  const tab = async (name: string | RegExp) => {
    const found = console.getByRole('tab', { name })
    await found.click()
    await console.getByRole('tab', { name, selected: true }).waitFor()
  }
  const readyOf: Partial<Record<string, () => Promise<unknown>>> = {
    Sequence: () => console.getByRole('grid', { name: 'Sequence diagram' }).waitFor(),
    Timeline: () => console.getByRole('grid', { name: 'Timeline' }).waitFor(),
    Network: () => console.getByRole('grid', { name: 'Network' }).waitFor(),
    async Checks() {
      await console.getByText('All checks pass').waitFor()
      await button('Add assertions').press('Enter')
      await console.getByRole('textbox', { name: 'Assertions as JSON' }).fill(FAILING)
      await button('Run 1 check').press('Enter')
      await console.getByText('1 of 7 failed, 1 time').waitFor()
    },
    Coverage: () => console.getByRole('row', { name: /^All machines/ }).waitFor(),
    Replay: () => button('Verify by replay').waitFor(),
  }
  /** With an event that waits. */
  const pauseWithEvent = async () => {
    await button('Control the system').click()
    await button('Pause the system').click()
    await sections(page)
      .getByRole('link', { name: /^Files/ })
      .click()
    await console.getByText(/\d+ events? waiting/).waitFor()
  }
  return [
    {
      name: 'docked',
      part: CONSOLE,
      reach: async () => {
        await enter(page, product, product.skipper, `/data/log_entries${FEW}`)
        await openTable(page, 'log_entries', FEW)
        await keys(page, 'Control+`')
        await console.getByRole('application', { name: /^Chart of/ }).waitFor()
      },
      fits: { sizes: [SIZES.wide, SIZES.medium], problems: () => cutTabs(page, 'Middle') },
    },
    {
      name: 'actors',
      part: CONSOLE,
      reach: async () => {
        await console.getByRole('button', { name: 'Actors', exact: true, pressed: false }).click()
        await console.getByRole('treegrid', { name: 'Actors' }).waitFor()
      },
      // The drawer covers the tabs.
      leave: () => button('Close: Actors').click(),
    },
    {
      name: 'bookmarks',
      part: DIALOG,
      reach: async () => {
        await log.getByRole('row').filter({ hasText: 'request.start' }).first().click()
        await keys(page, 'm', 'Shift+B')
        await bookmarks.getByRole('textbox').fill('here')
        await keys(page, 'Enter')
        await button('1 bookmark').press('Enter')
        await bookmarks.getByRole('button', { name: /^here/ }).waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'past',
      // The bar of the app, and the line below it, show the past; the page is live.
      part: `header, [aria-label="Past moment"]`,
      reach: () => page.getByRole('region', { name: 'Past moment' }).waitFor(),
    },
    {
      name: 'row-menu',
      part: MENU,
      reach: async () => {
        await log.focus()
        await keys(page, 'Shift+F10')
        await page.getByRole('menu', { name: /^Event \d/ }).waitFor()
      },
      leave: escape(page),
    },
    ...VIEWS.map(([view, inspector]): State => ({
      name: view.toLowerCase(),
      part: `${pane('center')}, ${pane('event')}`,
      reach: async () => {
        await tab(new RegExp(`^${view}`))
        await tab(new RegExp(`^${inspector}$`))
        await readyOf[view]?.()
      },
    })),
    ...CONTROLS.map(([control, kind], at): State => ({
      name: `control-${control.toLowerCase().replaceAll(' ', '-')}`,
      part: kind ? `${pane('center')}, ${pane('drive')}` : pane('drive'),
      reach: async () => {
        if (at === 0) {
          await tab(/^Export/)
          await pauseWithEvent()
        }
        if (kind) await tab(kind)
        await tab(new RegExp(`^${control}`))
        if (control !== 'Breakpoints') return
        await log.focus()
        await keys(page, 'b')
        await breakpoint.waitFor()
      },
      ...(control === 'Breakpoints' && { leave: () => breakpoint.uncheck() }),
    })),
    {
      name: 'paused',
      part: CONSOLE,
      reach: async () => {
        await button('Group by cause').click()
        await console.getByRole('treegrid', { name: 'Event log' }).waitFor()
        await console
          .getByRole('group', { name: 'Control status' })
          .getByText(/waiting/)
          .waitFor()
      },
      leave: () => button('Resume the system').first().click(),
    },
    {
      name: 'console-palette',
      part: DIALOG,
      isForced: true,
      reach: async () => {
        await console.focus()
        await keys(page, 'Control+k')
        await page.getByRole('dialog').getByRole('combobox').fill('conection')
      },
      leave: escape(page),
    },
    {
      name: 'console-keys',
      part: DIALOG,
      reach: async () => {
        await console.focus()
        await keys(page, '?')
        await page.getByRole('dialog', { name: 'Console shortcuts' }).waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'layouts',
      part: DIALOG,
      reach: async () => {
        const dialog = page.getByRole('dialog', { name: 'Layouts' })
        await console.focus()
        await keys(page, 'Control+k')
        await page.keyboard.type('save layouts')
        await keys(page, 'Enter')
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Night watch')
        await keys(page, 'Enter')
        await dialog.getByRole('button', { name: 'Copy a link to Night watch' }).waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'earlier-recordings',
      inTests: 'skip',
      part: DIALOG,
      reach: async () => {
        await button('Earlier recordings').click()
        await page.getByRole('list', { name: 'Earlier recordings' }).getByRole('listitem').first().waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'narrow-toolbar',
      part: CONSOLE,
      sizes: ['small'],
      isForced: true,
      reach: () => button('More').waitFor(),
      // At a past moment, with a paused clock that is behind.
      fits: {
        sizes: [SIZES.phone, { width: 320, height: 844 }],
        problems: async () => (await covered(page, '[role=toolbar][aria-label=Console] button')).under,
      },
    },
    {
      name: 'comparison',
      part: CONSOLE,
      reach: async () => {
        await page.reload()
        await console.waitFor()
        await button('Earlier recordings').click()
        const list = page.getByRole('list', { name: 'Earlier recordings' }).getByRole('listitem')
        await list.last().getByRole('button', { name: 'Compare' }).click()
        await console.getByRole('grid', { name: 'Both runs' }).getByRole('row', { selected: true }).waitFor()
      },
    },
    {
      name: 'maximized',
      inTests: 'skip',
      part: CONSOLE,
      reach: async () => {
        await tab(/^Chart/)
        await button('Maximize the console').click()
        await button('Restore the console').waitFor()
      },
    },
  ]
}

/** The console in its own window. */
export const ownWindow: Act = (page, product) => {
  let own = page
  return [
    {
      name: 'own-window',
      reach: async () => {
        await enter(page, product, product.skipper, '/data/vessels')
        await press(page, 'Open the console')
        const opening = page.waitForEvent('popup')
        await press(page, 'Open the console in a separate window')
        own = await opening
        await own.getByRole('treegrid', { name: 'Event log' }).getByRole('row').nth(5).waitFor()
        return own
      },
    },
    {
      name: 'own-window-bookmarks',
      part: DIALOG,
      reach: async () => {
        await own.getByRole('treegrid', { name: 'Event log' }).click()
        await keys(own, 'Shift+B')
        await own.getByRole('dialog', { name: 'Bookmarks' }).waitFor()
        return own
      },
    },
  ]
}

/** The page with the console for other apps. */
export const attached: Act = (page, product) => [
  {
    name: 'no-app',
    reach: async () => {
      await page.goto(`${product.url}/console.html`)
      await page.getByRole('heading', { name: 'Attach an app' }).waitFor()
    },
  },
  {
    name: 'app',
    reach: async () => {
      const { messages } = await inspectedRun(
        createMachine({
          id: 'lamp',
          initial: 'off',
          states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
        }),
        actor => actor.send({ type: 'switch' }),
      )
      const phantom = messages[0]?.replaceAll('x:', 'x:9') ?? ''
      const opening = page.waitForEvent('popup')
      await page.evaluate(
        ([url, text]) => {
          const opened = window.open(url, 'xstateinspector')
          window.addEventListener('message', ({ data }: MessageEvent<{ type?: string }>) => {
            if (data.type !== '@statelyai.connected') return
            for (const message of text) opened?.postMessage(JSON.parse(message), '*')
          })
        },
        [`${product.url}/console.html`, [phantom, ...messages]] as const,
      )
      const view = await opening
      await view.getByRole('treegrid', { name: 'Event log' }).getByText('switch', { exact: true }).waitFor()
      return view
    },
  },
]

const PAGES = [
  '/data/log_entries',
  '/files/charts',
  '/functions',
  '/rpc/passages',
  '/realtime/bridge',
  '/account',
  '/connections',
]

/** Little space: large text, or a phone, with the console open below each page. */
export const little: Act = (page, product) => {
  const console = page.getByRole('region', { name: 'Console' })
  return PAGES.map((path, at) => ({
    name: `console-below${path.replaceAll('/', '-')}`,
    sizes: ['zoomed'],
    inTests: 'fit',
    fits: freeSections,
    reach: async () => {
      if (at > 0) return visit(page, path)
      await product.signIn(page, product.skipper, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await keys(page, 'Control+`')
      await console.getByRole('button', { name: 'Pause the system' }).waitFor()
    },
  }))
}

/** The console as a phone opens it. */
export const phone: Act = (page, product) => {
  const console = page.getByRole('region', { name: 'Console' })
  const sizes = ['phone'] as const
  const tools = console.getByRole('toolbar', { name: 'Chart' }).getByRole('button')
  const view = (name: string) =>
    console.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name }).click()
  return [
    {
      name: 'page',
      inTests: 'pass',
      sizes,
      reach: async () => {
        await enter(page, product, product.skipper, '/data/log_entries')
        await openTable(page, 'log_entries')
      },
    },
    {
      name: 'opened',
      part: CONSOLE,
      sizes,
      reach: async () => {
        await press(page, 'Open the console')
        await console.getByRole('tablist', { name: 'Views' }).waitFor()
      },
    },
    {
      name: 'chart',
      inTests: 'fit',
      sizes,
      reach: async () => {
        const fingers = await page.context().newCDPSession(page)
        await fingers.send('Emulation.setTouchEmulationEnabled', { enabled: true })
        await view('Chart')
        await tools.first().waitFor()
      },
      // Each tool is large enough for a finger.
      fits: {
        sizes: [SIZES.phone],
        problems: () =>
          tools.evaluateAll(all =>
            all
              .filter(({ clientWidth, clientHeight }) => Math.min(clientWidth, clientHeight) < 34)
              .map(one => one.getAttribute('aria-label')),
          ),
      },
    },
    {
      name: 'event',
      inTests: 'skip',
      part: CONSOLE,
      sizes,
      reach: () => view('Event'),
    },
    {
      name: 'earlier-recordings',
      part: DIALOG,
      sizes,
      reach: async () => {
        await press(page, 'Earlier recordings')
        await page.getByRole('list', { name: 'Earlier recordings' }).getByRole('listitem').first().waitFor()
      },
    },
  ]
}
