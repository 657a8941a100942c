// Names and values in the syntax of REST.

/** Quotes a value of a list. */
export const quoteItem = (text: string): string =>
  `"${text.replaceAll(/["\\]/g, character => `\\${character}`)}"`

/** What REST reads unchanged without quotes: it trims each part between dashes. */
const PLAIN = /^[\p{L}\d_$]+(?: +[\p{L}\d_$]+)*(?:-[\p{L}\d_$]+(?: +[\p{L}\d_$]+)*)*$/u

/** Quotes a column name for orders and conditions. */
export const quoteName = (name: string): string => (PLAIN.test(name) ? name : quoteItem(name))

/** Quotes a column or table name for lists of names: anything but a plain ASCII name, as some servers require. */
export const selectName = (name: string): string =>
  PLAIN.test(name) && /^[A-Za-z_][ -~]*$/.test(name) ? name : quoteItem(name)

/** Reserved parameter names: a filter on such a column would be misread. */
const RESERVED = /^(select|order|limit|offset|and|or|not|columns|on_conflict|apikey)$/

/** A column name as a parameter name. */
export const parameterName = (name: string): string =>
  RESERVED.test(name) ? quoteItem(name) : quoteName(name)
