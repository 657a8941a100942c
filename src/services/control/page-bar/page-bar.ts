// The bar over a page that says what the console does to it: an element with a shadow root, without a library.
import type { Control } from '../control.ts'
import { placeBar } from './bar-place.ts'
import { pageNotices, type PageNotice } from './page-notices.ts'
import { PAGE_BAR_STYLES } from './page-bar-styles.ts'

interface PageBarOptions {
  /** Whether the controlled system is running. */
  readonly isRunning: () => boolean
}

/** Key that resumes, as in the developer tools of browsers. */
const RESUME_KEY = 'F8'

/** Follows the control for as long as the page lives. The bar is empty, and takes no room, while there is nothing to say. */
export function showPageBar(control: Control, { isRunning }: PageBarOptions): void {
  const bar = new PageBar(control)
  let remove: (() => void) | undefined = placeBar(bar.host)
  let isPlanned = false
  const update = () => {
    isPlanned = false
    if (isRunning()) return bar.show(pageNotices(control.state()))
    bar.show([])
    remove?.()
    remove = undefined
    stop()
  }
  // A system that is stopped ends after it has notified.
  const stop = control.subscribe(() => {
    if (isPlanned) return
    isPlanned = true
    queueMicrotask(update)
  })
  update()
}

class PageBar {
  readonly host = document.createElement('div')
  readonly #control: Control
  readonly #section = document.createElement('section')
  readonly #status = document.createElement('p')
  #shownText = ''
  /** What had the focus before a button of the bar. */
  #before: Element | null = null

  constructor(control: Control) {
    this.#control = control
    const root = this.host.attachShadow({ mode: 'open' })
    const styles = new CSSStyleSheet()
    styles.replaceSync(PAGE_BAR_STYLES)
    root.adoptedStyleSheets = [styles]
    this.#section.setAttribute('aria-label', 'Chartroom console')
    this.#section.hidden = true
    // Announces what the notices show; it must exist before its text does.
    this.#status.setAttribute('role', 'status')
    this.#status.className = 'unseen'
    root.append(this.#status, this.#section)
    this.host.addEventListener('focusin', ({ relatedTarget }) => {
      if (relatedTarget instanceof Element && relatedTarget !== this.host) this.#before = relatedTarget
    })
  }

  /** Draws the notices if they differ from those that are shown. */
  show(notices: readonly PageNotice[]): void {
    const text = notices.map(notice => notice.text).join('. ')
    if (text === this.#shownText) return
    this.#shownText = text
    this.#status.textContent = text
    const hadFocus = this.host.shadowRoot?.activeElement !== null
    this.#section.hidden = notices.length === 0
    this.#section.dataset['kind'] = notices[0]?.kind ?? ''
    this.#section.replaceChildren(...notices.map(notice => this.#notice(notice)))
    const isPaused = notices.some(({ kind }) => kind === 'paused')
    if (isPaused) window.addEventListener('keydown', this.#onKey)
    else window.removeEventListener('keydown', this.#onKey)
    if (hadFocus) this.#restoreFocus()
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const isFree =
      !event.defaultPrevented && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey
    if (event.key !== RESUME_KEY || !isFree) return
    event.preventDefault()
    this.#control.release()
  }

  #notice({ kind, text, action }: PageNotice): HTMLElement {
    const line = document.createElement('div')
    line.className = 'notice'
    line.dataset['kind'] = kind
    const words = document.createElement('span')
    words.className = 'text'
    words.textContent = text
    words.title = text
    line.append(words)
    if (!action) return line
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = action.title
    button.setAttribute('aria-label', `${action.title}: ${text}`)
    if (kind === 'paused') button.setAttribute('aria-keyshortcuts', RESUME_KEY)
    button.addEventListener('click', () => action.run(this.#control))
    line.append(button)
    if (kind === 'paused') line.append(keyHint())
    return line
  }

  /** The focus never falls to the page. */
  #restoreFocus(): void {
    const next = this.#section.querySelector('button')
    if (next) return next.focus()
    if (this.#before instanceof HTMLElement && this.#before.isConnected) this.#before.focus()
  }
}

function keyHint(): HTMLElement {
  const hint = document.createElement('kbd')
  hint.setAttribute('aria-hidden', 'true')
  hint.textContent = RESUME_KEY
  return hint
}
