// The console's styles for other apps' pages.

/**
 * Text of a style sheet scoped to the console. This is a placeholder that the package build replaces with all
 * style sheets the console imports.
 */
export const CONSOLE_STYLES: string = 'chartroom-console-styles'
