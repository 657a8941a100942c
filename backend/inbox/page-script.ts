// Client script of the inbox page: follows the inbox, opens emails in place and copies codes.

// These functions are sent to the browser as source text, so they may only use each other.

function find(selector: string, within: ParentNode = document): HTMLElement | null {
  return within.querySelector<HTMLElement>(selector)
}

function textOf(selector: string, within: ParentNode): string {
  return find(selector, within)?.textContent ?? ''
}

/** Announces a text to screen readers. */
function setMessage(text: string): void {
  const output = find('#said')
  if (output) output.textContent = text
}

function showLive(isLive: boolean): void {
  const live = find('#live')
  if (!live) return
  live.hidden = false
  live.dataset['state'] = isLive ? 'live' : 'lost'
  live.textContent = isLive ? 'live' : 'backend unreachable'
}

/** Date and time, or only the time if `now` is given and it is the same day; the server uses it too. */
export function timeOf(sentAt: string, now?: number): string {
  const sent = new Date(sentAt)
  const isToday = now !== undefined && sent.toDateString() === new Date(now).toDateString()
  // Swedish writes times as `2026-11-22 12:23:06`, like the rest of the product.
  return isToday ? sent.toLocaleTimeString('sv-SE') : sent.toLocaleString('sv-SE')
}

/** Writes times in the browser's time zone; the server knows only its own. */
function localizeTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    const now = time.closest<HTMLElement>('[data-now]')?.dataset['now']
    time.textContent = timeOf(time.dateTime, now === undefined ? undefined : Number(now))
  }
}

/** Prepares what needs the script: controls and local times. */
function wake(): void {
  localizeTimes()
  for (const element of document.querySelectorAll<HTMLElement>('[data-copy]')) element.hidden = false
  const clear = find('#clear')
  if (clear) clear.hidden = !find('#mails')
}

/** Replaces the page content with a fresh server-rendered version and restores the focus. */
async function show(focusOn?: string): Promise<void> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error('The inbox did not respond')
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const ids = [...document.querySelectorAll<HTMLElement>('#mails a')].map(row => row.dataset['id'])
  const message = find('#message')
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const row = focused?.matches('#mails a') ? `#mails a[data-id="${focused.dataset['id']}"]` : 'nothing'
  find('#inbox')?.replaceWith(find('#inbox', fresh) ?? '')
  // The open email keeps its DOM element, with its expanded details, selection and focus.
  const isSame = message !== null && message.dataset['id'] === find('#message')?.dataset['id']
  if (isSame) find('#message')?.replaceWith(message)
  find('#count')?.replaceWith(find('#count', fresh) ?? '')
  wake()
  const newest = find('#mails a')
  if (focusOn === undefined && newest && !ids.includes(newest.dataset['id'])) {
    setMessage(`New email to ${textOf('.to', newest)}: ${textOf('.subject', newest)}`)
  }
  const before = message?.contains(focused) ? focused : find(row)
  if (focusOn === undefined) before?.focus()
  else find(focusOn)?.focus()
}

/** Long-polls the inbox for changes, forever. */
async function follow(): Promise<void> {
  for (;;) {
    try {
      const since = find('#inbox')?.dataset['revision'] ?? ''
      const response = await fetch(`/_chartroom/inbox.json?since=${since}&wait=25`)
      if (!response.ok) throw new Error('The inbox did not respond')
      const { revision } = (await response.json()) as { revision: number }
      if (String(revision) !== since) await show()
      showLive(true)
    } catch {
      showLive(false)
      await new Promise(resolve => setTimeout(resolve, 1_500))
    }
  }
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const label = button.textContent
  await navigator.clipboard.writeText(text)
  setMessage(`${button.dataset['name'] ?? 'Text'} copied`)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = label
  }, 1_600)
}

async function clearAll(): Promise<void> {
  history.replaceState(null, '', '/_chartroom/inbox')
  await fetch('/_chartroom/inbox', { method: 'DELETE' })
  setMessage('The inbox is empty')
}

function onClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : undefined
  const link = target?.closest<HTMLAnchorElement>('#mails a, a.back')
  const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (link && isPlain) {
    event.preventDefault()
    history.pushState(null, '', link.href)
    void show(link.matches('.back') ? '#mails a' : '#message')
  }
  const button = target?.closest<HTMLElement>('[data-copy]')
  if (button?.dataset['copy']) void copy(button, button.dataset['copy'])
  if (target?.closest('#clear')) void clearAll()
}

/** Arrow keys, Home and End move through the list. */
function onKey(event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLElement>('#mails a')]
  const at = rows.findIndex(row => row === document.activeElement)
  const steps = new Map([
    ['ArrowDown', at + 1],
    ['ArrowUp', at - 1],
    ['Home', 0],
    ['End', rows.length - 1],
  ])
  const to = at < 0 || event.metaKey || event.ctrlKey || event.altKey ? undefined : steps.get(event.key)
  if (to === undefined) return
  event.preventDefault()
  rows[to]?.focus()
}

function start(): void {
  document.addEventListener('click', onClick)
  document.addEventListener('keydown', onKey)
  addEventListener('popstate', () => void show())
  wake()
  showLive(true)
  void follow()
}

const PARTS = [
  find,
  textOf,
  setMessage,
  showLive,
  timeOf,
  localizeTimes,
  wake,
  show,
  follow,
  copy,
  clearAll,
  onClick,
  onKey,
  start,
]

/** The script of the page. */
export const PAGE_SCRIPT = `${PARTS.map(String).join('\n')}\nstart()\n`
