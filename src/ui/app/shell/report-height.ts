// Publishes the height of what is at the bottom of the window, so that content and notices stay clear of it.

/** Returns a ref that keeps an element's height in pixels in a CSS variable of the document. */
export function reportHeight(variable: '--under' | '--bars' | '--tour') {
  return (element: HTMLElement | null): (() => void) | undefined => {
    if (!element) return undefined
    const { style } = document.documentElement
    const watch = new ResizeObserver(() => style.setProperty(variable, `${element.offsetHeight}px`))
    watch.observe(element)
    return () => {
      watch.disconnect()
      style.removeProperty(variable)
    }
  }
}
