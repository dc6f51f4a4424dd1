[playlist]
File2=b
File1=http://h/a
NumberOfEntries=2
