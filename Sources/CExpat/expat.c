// SPDX-License-Identifier: Apache-2.0
#include "CExpat.h"

#include <dlfcn.h>
#include <pthread.h>

#define FUNCTIONS(each) \
  each(XML_ParserCreateNS) each(XML_ParserFree) each(XML_SetUserData) each(XML_SetElementHandler) \
  each(XML_SetCharacterDataHandler) each(XML_Parse) each(XML_GetErrorCode) each(XML_GetCurrentLineNumber) \
  each(XML_ErrorString)

#define FIELD(name) __typeof__(&name) name;
static struct { FUNCTIONS(FIELD) } library;
static bool is_there;

static void load(void) {
  void *handle = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define LOOK_UP(name) \
  if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return;
  FUNCTIONS(LOOK_UP)
  is_there = true;
}

bool attacca_expat_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there;
}

XML_Parser attacca_XML_ParserCreateNS(const XML_Char *encoding, XML_Char separator) {
  return library.XML_ParserCreateNS(encoding, separator);
}

void attacca_XML_ParserFree(XML_Parser parser) { library.XML_ParserFree(parser); }

void attacca_XML_SetUserData(XML_Parser parser, void *data) { library.XML_SetUserData(parser, data); }

void attacca_XML_SetElementHandler(XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end) {
  library.XML_SetElementHandler(parser, start, end);
}

void attacca_XML_SetCharacterDataHandler(XML_Parser parser, XML_CharacterDataHandler handler) {
  library.XML_SetCharacterDataHandler(parser, handler);
}

enum XML_Status attacca_XML_Parse(XML_Parser parser, const char *bytes, int count, int is_last) {
  return library.XML_Parse(parser, bytes, count, is_last);
}

enum XML_Error attacca_XML_GetErrorCode(XML_Parser parser) { return library.XML_GetErrorCode(parser); }

XML_Size attacca_XML_GetCurrentLineNumber(XML_Parser parser) { return library.XML_GetCurrentLineNumber(parser); }

const XML_LChar *attacca_XML_ErrorString(enum XML_Error code) { return library.XML_ErrorString(code); }
