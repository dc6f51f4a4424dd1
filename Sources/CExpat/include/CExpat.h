// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <expat.h>
#include <stdbool.h>

// libexpat, looked up when an XSPF list is first read. Each function is libexpat's of the name behind `attacca_`; only
// behind a true answer of `attacca_expat_load` may another one be called.

/// Whether libexpat is there; loads it the first time. Any thread.
bool attacca_expat_load(void);

XML_Parser attacca_XML_ParserCreateNS(const XML_Char *encoding, XML_Char separator);
void attacca_XML_ParserFree(XML_Parser parser);
void attacca_XML_SetUserData(XML_Parser parser, void *data);
void attacca_XML_SetElementHandler(XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end);
void attacca_XML_SetCharacterDataHandler(XML_Parser parser, XML_CharacterDataHandler handler);
enum XML_Status attacca_XML_Parse(XML_Parser parser, const char *bytes, int count, int is_last);
enum XML_Error attacca_XML_GetErrorCode(XML_Parser parser);
XML_Size attacca_XML_GetCurrentLineNumber(XML_Parser parser);
const XML_LChar *attacca_XML_ErrorString(enum XML_Error code);
