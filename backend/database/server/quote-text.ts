/** A text in SQL that may itself be part of a text. */
export const quoteText = (value: string): string => `$chartroom$${value.replaceAll('$', '')}$chartroom$`
