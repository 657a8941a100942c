// The page that the developer tools inspect: the only way in which the extension reaches a page.

/** The part of the browser's API for developer tools that is used. */
interface DevTools {
  readonly panels: { create(title: string, icon: string, page: string): void }
  readonly inspectedWindow: {
    eval(code: string, done: (result: unknown, failure?: { readonly value?: unknown }) => void): void
    reload(options: { readonly injectedScript: string }): void
  }
  readonly network: { readonly onNavigated: { addListener(listener: () => void): void } }
}

declare const chrome: { readonly devtools: DevTools }

export const devtools = (): DevTools => chrome.devtools

/** The inspected page. */
export interface InspectedPage {
  /** Runs code in the page and returns its value, as JSON; undefined if the code threw or there is no page. */
  readonly run: (code: string) => Promise<unknown>
  /** Reloads the page and runs a script before its own. */
  readonly reload: (script: string) => void
  /** Calls back whenever the page shows another document. */
  readonly onNavigated: (listener: () => void) => void
}

export function inspectedPage({ inspectedWindow, network }: DevTools = devtools()): InspectedPage {
  return {
    run: code =>
      new Promise<unknown>(resolve => {
        inspectedWindow.eval(code, (result, failure) => resolve(failure ? undefined : result))
      }).catch(() => undefined),
    reload: injectedScript => inspectedWindow.reload({ injectedScript }),
    onNavigated: listener => network.onNavigated.addListener(listener),
  }
}
