// Where the bar is in a page: above its content, or below it if something fixed to the upper edge is there.

/** The element that holds the bars of all controlled systems of a page. */
const NAME = 'data-chartroom-page-bar'

/** The height of the bars, for apps with content that is fixed to the window or as high as it. */
const VARIABLE = '--chartroom-page-bar'

/** Above everything that an app usually draws, and above the docked console. */
const ABOVE = '2147483100'

type Edge = 'Top' | 'Bottom'

/** Adds a bar to the page; returns a function that removes it. Several copies of this package share one place. */
export function placeBar(bar: HTMLElement): () => void {
  const place = document.querySelector<HTMLElement>(`[${NAME}]`) ?? createPlace()
  place.append(bar)
  const fit = () => fitPage(place)
  const observer = new ResizeObserver(fit)
  observer.observe(place)
  window.addEventListener('resize', fit)
  return () => {
    observer.disconnect()
    window.removeEventListener('resize', fit)
    bar.remove()
    fit()
    if (place.childElementCount === 0) place.remove()
  }
}

function createPlace(): HTMLElement {
  const place = document.createElement('div')
  place.setAttribute(NAME, '')
  // Dialogs of React Aria leave elements of the top layer accessible.
  place.dataset['reactAriaTopLayer'] = 'true'
  Object.assign(place.style, { position: 'fixed', left: '0', right: '0', top: '0', zIndex: ABOVE })
  document.body.append(place)
  return place
}

/** Keeps the content of the page next to the bars instead of below them. */
function fitPage(place: HTMLElement): void {
  const height = place.offsetHeight
  restore(place)
  if (height === 0) return
  take(place, 'Top', height)
  if (!isCovering(place)) return
  restore(place)
  take(place, 'Bottom', height)
}

const isEdge = (text: string | undefined): text is Edge => text === 'Top' || text === 'Bottom'

function take(place: HTMLElement, edge: Edge, height: number): void {
  const property = `padding${edge}` as const
  const { style } = document.body
  // In the element, since another copy of this package may restore it.
  place.dataset['edge'] = edge
  place.dataset['before'] = style[property]
  const padding = Number.parseFloat(getComputedStyle(document.body)[property]) || 0
  // A docked console has its place at the lower edge.
  Object.assign(place.style, edge === 'Top' ? { top: '0', bottom: '' } : { top: '', bottom: `${padding}px` })
  style[property] = `${padding + height}px`
  document.documentElement.style.setProperty(VARIABLE, `${height}px`)
}

function restore({ dataset }: HTMLElement): void {
  const { edge, before = '' } = dataset
  if (!isEdge(edge)) return
  document.body.style[`padding${edge}`] = before
  document.documentElement.style.removeProperty(VARIABLE)
  delete dataset['edge']
}

const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=button], [tabindex]'
/** Distance between the points that are looked at, in pixels. */
const MARGIN = 24

/** Whether controls of the page are under the bars. */
function isCovering(place: HTMLElement): boolean {
  const { left, right, top, bottom } = place.getBoundingClientRect()
  for (let x = left + MARGIN / 2; x < right; x += MARGIN) {
    const under = document.elementsFromPoint(x, (top + bottom) / 2).find(element => !place.contains(element))
    if (under?.closest(CONTROLS)) return true
  }
  return false
}
