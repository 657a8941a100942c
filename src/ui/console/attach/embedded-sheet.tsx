// The console's style sheet in another app's page.

/**
 * React puts it into the head once, however many consoles there are. In the workbench, whose own sheets have it all,
 * there is only its place, and the page's policy would refuse it.
 */
export function EmbeddedStyles({ text }: { readonly text: string }) {
  if (!text.includes('{')) return null
  return (
    <style href="chartroom-console" precedence="medium">
      {text}
    </style>
  )
}
