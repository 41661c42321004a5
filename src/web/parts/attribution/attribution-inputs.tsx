import { createElement } from 'react'
import { attributionElement } from '#contract/attribution/attribution.ts'

/**
 * The element that the tracker fills with hidden inputs. Without scripts it stays empty, and the form submits no
 * attribution.
 */
export const AttributionInputs = () => createElement(attributionElement)
