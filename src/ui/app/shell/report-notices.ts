// Publishes the height of the visible notices, so that the sections and a narrow page leave room for them.

const VARIABLE = '--notices'
/** Pixels between notices, and between them and what is above. */
export const NOTICE_GAP = 8
/** Below them, as in the style sheet. */
const BELOW = 10
/** Of a notice behind the first one. */
const PEEK = NOTICE_GAP

const heightOf = (region: HTMLElement): number => {
  const notices = [
    ...region.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed=false][data-visible=true]'),
  ]
  if (notices.length === 0) return 0
  const isExpanded = notices.some(({ dataset }) => dataset['expanded'] === 'true')
  const front = notices.find(({ dataset }) => dataset['front'] === 'true') ?? notices[0]
  if (!isExpanded) return (front?.offsetHeight ?? 0) + (notices.length - 1) * PEEK + NOTICE_GAP
  return notices.reduce((sum, { offsetHeight }) => sum + offsetHeight + NOTICE_GAP, 0)
}

/** Keeps the height in pixels in a CSS variable of the document; a callback ref of the region with the notices. */
export function reportNotices(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return undefined
  const { style } = document.documentElement
  const report = () => {
    const height = heightOf(region)
    if (height === 0) style.removeProperty(VARIABLE)
    else style.setProperty(VARIABLE, `${height + BELOW}px`)
  }
  // The library writes each change of a notice into its attributes.
  const watch = new MutationObserver(report)
  watch.observe(region, { subtree: true, childList: true, attributes: true })
  report()
  return () => {
    watch.disconnect()
    style.removeProperty(VARIABLE)
  }
}
