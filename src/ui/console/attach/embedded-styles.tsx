// The console's styles in another app's page.

/**
 * React adds it to the head once, however many consoles there are. In the workbench it holds only a
 * placeholder: the app's own style sheets cover the console, and the page's policy would refuse it.
 */
export function EmbeddedStyles({ text }: { readonly text: string }) {
  if (!text.includes('{')) return null
  return (
    <style href="chartroom-console" precedence="medium">
      {text}
    </style>
  )
}

/**
 * Text of a style sheet scoped to the console. This is a placeholder that the package build replaces with all
 * style sheets the console imports.
 */
export const CONSOLE_STYLES: string = 'chartroom-console-styles'
