// Text within Mermaid diagrams.

/** A label: letters that mean something to Mermaid's grammar are written as entity codes. */
export const mermaidText = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[#;:<>"{}[\]()%\\`]/g, found => `#${found.codePointAt(0)};`)
    .trim() || '#160;'
