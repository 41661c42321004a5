import { createElement } from 'react'
import { attributionElement } from '#contract/attribution/attribution.ts'

/**
 * The place in a form that the tracker fills with hidden inputs. Without scripts it stays empty, and the form says nothing
 * of where its visitor came from.
 */
export const AttributionInputs = () => createElement(attributionElement)
