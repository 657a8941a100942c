// The console's styles for pages of other apps.

/**
 * Text of a style sheet that reaches the console alone. Here stands only its place: the package's build makes it of all the
 * sheets that the console imports.
 */
export const CONSOLE_STYLES: string = 'chartroom-console-styles'
